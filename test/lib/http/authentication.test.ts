import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { groups } from '../../../lib/identity/groups.ts';
import { identityTrustMs } from '../../../lib/identity/identity-memory.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { createToken, revokeToken } from '../../../lib/identity/tokens/tokens.ts';
import { type User, users } from '../../../lib/identity/users.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { addInitTokens } from '../../../lib/tokens/init-tokens.ts';
import { addFeatures } from '../../harness/features.ts';
import { sharedService } from '../../specifications/specify.ts';
import { addCallers, callers, groupId, inProject, testProjects, tokenRequestOf, userOf } from './callers.ts';
import { expectRights, featureIn, samples } from './rights.ts';

const service = sharedService(readSeed({ projects: [{ id: 'shop', environments: ['development'] }] }));
beforeAll(async () => {
  for (const project of testProjects) await addFeatures(service, [featureIn[project]], { project });
  await addCallers(service.table);
});

function callerNamed(name: string) {
  const found = callers.find((caller) => caller.name === name);
  if (found === undefined) throw new Error(`There is no caller called "${name}".`);
  return found;
}

/** A new token of a caller, as they may hold it. */
function tokenOf(name: string, expiresAt?: Date) {
  return createToken(service.table, { ...tokenRequestOf(callerNamed(name)), expiresAt });
}

/** Gives a user other roles than they began with. */
async function changeUser(name: string, change: Partial<Pick<User, 'rootRole' | 'projectRoles' | 'groups'>>) {
  const user = userOf(callerNamed(name));
  await users.update(service.table, systemUser, user.id, (stored) => ({ ...stored, ...change }));
}

describe('A caller who was authenticated a moment ago', () => {
  let start = Date.now();
  const at = (ms: number) => vi.setSystemTime(start + ms);
  beforeEach(() => {
    // Later than whatever the test before may have left in the memory of the service.
    start += 10 * identityTrustMs;
    vi.useFakeTimers({ toFake: ['Date'], now: start });
  });
  afterEach(() => void vi.useRealTimers());

  /** Asks again and again until the service must have noticed what has changed; asking must not put that off. */
  async function untilNoticed(token: string): Promise<void> {
    for (let ms = 0; ms < identityTrustMs; ms += 1_000) {
      at(ms);
      await service.get('/api/admin/auth/saml/settings', { token });
    }
    at(identityTrustMs);
  }

  test('is trusted for ten seconds at most', () => {
    expect(identityTrustMs).toBeLessThanOrEqual(10_000);
  });

  test.each(['an admin token', 'an Admin'])('is refused everywhere once the token is revoked: %s', async (name) => {
    const { secret, id } = await tokenOf(name);
    await expectRights(service, secret, 'Admin');
    await revokeToken(service.table, id);
    await untilNoticed(secret);
    await expectRights(service, secret, undefined);
  });

  test.each(['an admin token', 'an Admin'])('is refused everywhere from when the token expires: %s', async (name) => {
    const { secret } = await tokenOf(name, new Date(start + 2_000));
    at(1_999);
    await expectRights(service, secret, 'Admin');
    at(2_000);
    await expectRights(service, secret, undefined);
  });

  test.each([
    ['a root role', 'an Editor', { rootRole: 3 }, 'Viewer'],
    ['a group', 'a user without a role among editors', { groups: [] }, 'Viewer'],
    ['a role in a project', 'an Owner', { projectRoles: [] }, 'Viewer'],
    ['the better role', 'an Owner without a root role', { projectRoles: [inProject('shop', 'Member')] }, 'Member'],
    ['all groups but one', 'a Member among viewers and editors', { groups: [groupId('viewers')] }, 'Member'],
  ] as const)('has the rights that are left, once they lose %s: %s', async (_what, name, loss, left) => {
    const { secret } = await tokenOf(name);
    await expectRights(service, secret, callerNamed(name).as.shop);
    await changeUser(name, loss);
    await untilNoticed(secret);
    await expectRights(service, secret, left);
  });

  test('loses the rights of a group that is deleted', async () => {
    const { secret } = await tokenOf('a Viewer among admins');
    await expectRights(service, secret, 'Admin');
    await transact(service.table, [{ remove: groups.keyOf(groupId('admins')) }], undefined);
    await untilNoticed(secret);
    await expectRights(service, secret, 'Viewer');
  });

  test('gets new rights', async () => {
    const { secret } = await tokenOf('a Viewer');
    await expectRights(service, secret, 'Viewer');
    await changeUser('a Viewer', { rootRole: 2 });
    await untilNoticed(secret);
    await expectRights(service, secret, 'Editor');
  });

  test('is refused by every operation with a permission after the user is deleted', async () => {
    const { secret } = await tokenOf('an Editor among viewers');
    await expectRights(service, secret, 'Editor');
    await transact(
      service.table,
      [{ remove: users.keyOf(userOf(callerNamed('an Editor among viewers')).id) }],
      undefined,
    );
    await untilNoticed(secret);
    await expectRights(service, secret, undefined, { among: samples.slice(1) });
  });
});

describe('A token', () => {
  const call = (token: string) => service.get('/api/admin/environments', { token });

  test('works at once after its creation, even if it was tried before', async () => {
    const token = makeSecret('admin');
    expect(await call(token)).toMatchObject({ status: 401 });
    await addInitTokens(service.table, { adminTokens: [token] });
    expect(await call(token)).toMatchObject({ status: 200 });
  });

  test('is not quoted in a refusal', async () => {
    const { secret: expired } = await tokenOf('an admin token', new Date(Date.now() - 1));
    for (const token of [makeSecret('admin'), makeSecret('user'), expired]) {
      const { status, text, headers } = await call(token);
      expect(status).toBe(401);
      expect(text + JSON.stringify(headers)).not.toContain(token.slice(5));
    }
  });
});
