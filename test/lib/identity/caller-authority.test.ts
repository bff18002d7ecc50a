import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { forgetUser } from '../../../lib/identity/caller.ts';
import { groups } from '../../../lib/identity/groups.ts';
import { identityTrustMs } from '../../../lib/identity/identity-memory.ts';
import { rootRoles } from '../../../lib/identity/permissions.ts';
import { customRoles } from '../../../lib/identity/roles.ts';
import { hashOf } from '../../../lib/identity/tokens/token.ts';
import { createToken, revokeToken, tokenIdOf, tokens } from '../../../lib/identity/tokens/tokens.ts';
import { users } from '../../../lib/identity/users.ts';
import { updateUser } from '../../../lib/people/administer-users.ts';
import { deleteUserWhoSignsIn } from '../../../lib/sign-in/users-who-sign-in.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import type { CallOptions } from '../../harness/service.ts';
import { betweenReadAndWrite, recordStoreRequests } from '../../harness/store-requests.ts';
import type { World } from '../../harness/world.ts';
import { worldForEach } from '../../specifications/specify.ts';

const { service, world } = worldForEach();

const elsewhere = () => anotherProcess(service.table);
const root = (role: 'Admin' | 'Viewer') => ({ rootRole: rootRoles[role] });
const demote = (id: number) => updateUser(elsewhere(), systemUser, id, root('Viewer'));
const promote = (id: number, as: CallOptions) => service.put(`/api/admin/user-admin/${id}`, root('Admin'), as);
const roleOf = async (id: number) => (await users.load(elsewhere(), id)).value.rootRole;

/** Makes an account with a personal access token that this process has seen. */
async function makeKnownUser(roles: Parameters<World['user']>[0]) {
  const user = await world.user(roles);
  const as = { token: (await world.pat(user)).secret };
  expect((await service.get('/api/admin/user', as)).status).toBe(200);
  return { ...user, as };
}

describe('A right that was removed elsewhere no longer lets', () => {
  test('a former Admin make themself an Admin again, however often they try', async () => {
    const { id, as } = await makeKnownUser({ rootRole: 'Admin' });
    await demote(id);
    for (let round = 0; round < 3; round += 1) expect(await promote(id, as)).toMatchObject({ status: 403 });
    expect(await roleOf(id)).toBe(rootRoles.Viewer);
  });

  test('a former Admin finish a request that had begun', async () => {
    const { id, as } = await makeKnownUser({ rootRole: 'Admin' });
    const accomplice = await world.user();
    const reply = await betweenReadAndWrite(
      service.table,
      () => demote(id),
      () => promote(accomplice.id, as),
    );
    expect(reply).toMatchObject({ status: 403 });
    expect(await roleOf(accomplice.id)).toBe(rootRoles.Viewer);
  });

  test('a former Admin finish a request of several transactions', async () => {
    const { id, as } = await makeKnownUser({ rootRole: 'Admin' });
    const accomplices: number[] = [];
    for (let count = 0; count < 45; count += 1) accomplices.push((await world.user()).id);
    const group = await world.groupId({ rootRole: rootRoles.Admin });
    const input = { name: 'accomplices', users: accomplices.map((user) => ({ user: { id: user } })) };
    const fill = () => service.put(`/api/admin/groups/${group}`, input, as);
    const reply = await betweenReadAndWrite(service.table, () => demote(id), fill, 'TransactWriteItems', 2);
    expect(reply).toMatchObject({ status: 403 });
    const members = [...(await users.findSome(elsewhere(), accomplices)).values()].filter(
      ({ groups }) => groups.length > 0,
    );
    expect(members.length).toBeLessThan(accomplices.length);
  });

  test('a former Owner add themself to the project again', async () => {
    const project = await world.project();
    const { id, as } = await makeKnownUser({ inProject: { project, role: 'Owner' } });
    await users.update(elsewhere(), systemUser, id, (before) => ({ ...before, projectRoles: [] }));
    const path = `/api/admin/projects/${project}/users/${id}/roles`;
    expect(await service.put(path, { roles: [4] }, as)).toMatchObject({ status: 403 });
    expect((await users.load(elsewhere(), id)).value.projectRoles).toEqual([]);
  });

  test('a former Owner lower the number of approvals', async () => {
    const project = await world.project();
    const { id, as } = await makeKnownUser({ inProject: { project, role: 'Owner' } });
    const path = `/api/admin/projects/${project}/environments/development/change-requests/config`;
    const require = (requiredApprovals: number) =>
      service.put(path, { changeRequestsEnabled: true, requiredApprovals }, as);
    expect(await require(3)).toMatchObject({ status: 204 });
    await users.update(elsewhere(), systemUser, id, (before) => ({ ...before, projectRoles: [] }));
    expect(await require(1)).toMatchObject({ status: 403 });
  });

  test('a revoked token or a deleted user make an Admin', async () => {
    const token = await world.token({ rootRole: 'Admin' });
    const deleted = await makeKnownUser({ rootRole: 'Admin' });
    const other = await world.user();
    expect((await service.get('/api/admin/user', { token })).status).toBe(200);
    await revokeToken(elsewhere(), tokenIdOf(hashOf(token)));
    await deleteUserWhoSignsIn(elsewhere(), systemUser, deleted.id);
    expect(await promote(other.id, { token })).toMatchObject({ status: 401 });
    expect(await promote(other.id, deleted.as)).toMatchObject({ status: 401 });
    expect(await roleOf(other.id)).toBe(rootRoles.Viewer);
  });

  test('a token make an Admin after its expiry was moved to the past, though it does after one to the future', async () => {
    const other = await world.user();
    for (const [days, status] of [
      [2, 200],
      [-1, 401],
    ] as const) {
      const end = new Date(Date.now() + 86_400_000);
      const { secret: token } = await createToken(service.table, { kind: 'admin', name: 'a script', expiresAt: end });
      expect((await service.get('/api/admin/user', { token })).status).toBe(200);
      const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString();
      await tokens.update(elsewhere(), systemUser, hashOf(token), (before) => ({ ...before, expiresAt }));
      expect(await promote(other.id, { token })).toMatchObject({ status });
      await updateUser(elsewhere(), systemUser, other.id, root('Viewer'));
    }
  });

  test('a former member of a private project make or prolong tokens for it', async () => {
    const project = await world.project();
    await service.put(`/api/admin/projects/${project}/settings`, { mode: 'private' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + identityTrustMs });
    onTestFinished(() => void vi.useRealTimers());
    const names = ['CREATE_CLIENT_API_TOKEN', 'UPDATE_CLIENT_API_TOKEN'];
    const maker = await world.role({ type: 'root-custom', permissions: names.map((name) => ({ name })) });
    const { id, as } = await makeKnownUser({ inProject: { project, role: 'Reader' } });
    await users.update(elsewhere(), systemUser, id, (before) => ({ ...before, rootRole: maker }));
    forgetUser(service.table, id);
    const path = '/api/admin/api-tokens';
    const wanted = { tokenName: 'reader', type: 'client', environment: 'development' };
    const make = (projects: readonly string[]) => service.post(path, { ...wanted, projects }, as);
    const join = async () => {
      const projectRoles = [{ project, roles: [6], addedAt: '2026-01-01T00:00:00.000Z' }];
      await users.update(elsewhere(), systemUser, id, (before) => ({ ...before, projectRoles }));
      forgetUser(service.table, id);
    };
    const leave = () => users.update(elsewhere(), systemUser, id, (before) => ({ ...before, projectRoles: [] }));
    const { status, body } = await make([project]);
    expect(status).toBe(201);
    await leave();
    expect(await make([project])).toMatchObject({ status: 404 });
    forgetUser(service.table, id);
    expect(await make(['*'])).toMatchObject({ status: 403 });
    await join();
    expect(await make(['*'])).toMatchObject({ status: 201 });
    await leave();
    expect(await make(['*'])).toMatchObject({ status: 404 });
    await join();
    const prolong = (expiresAt: string | null) => service.put(`${path}/${body.secret}`, { expiresAt }, as);
    expect(await prolong('2099-01-01T00:00:00Z')).toMatchObject({ status: 200 });
    await leave();
    expect(await prolong(null)).toMatchObject({ status: 404 });
  });

  test('somebody make an Admin whose group has lost its root role, or whose role has lost ADMIN', async () => {
    const group = await world.groupId({ rootRole: rootRoles.Admin });
    const { id, as } = await makeKnownUser({});
    const member = { userId: id, joinedAt: new Date().toISOString(), createdBy: 'admin' };
    await groups.update(elsewhere(), systemUser, group, (before) => ({ ...before, members: [member] }));
    await users.update(elsewhere(), systemUser, id, (before) => ({ ...before, groups: [group] }));
    forgetUser(service.table, id);
    expect(await promote((await world.user()).id, as)).toMatchObject({ status: 200 });
    await groups.update(elsewhere(), systemUser, group, ({ rootRole: _, ...rest }) => rest);
    expect(await promote(id, as)).toMatchObject({ status: 403 });

    const role = await world.role({ type: 'root-custom', permissions: [{ name: 'ADMIN' }] });
    const holder = await makeKnownUser({});
    await users.update(elsewhere(), systemUser, holder.id, (before) => ({ ...before, rootRole: role }));
    forgetUser(service.table, holder.id);
    expect(await promote((await world.user()).id, holder.as)).toMatchObject({ status: 200 });
    await customRoles.update(elsewhere(), systemUser, role, (before) => ({ ...before, permissions: [] }));
    expect(await promote(holder.id, holder.as)).toMatchObject({ status: 403 });
  });
});

describe('A right that the caller still has', () => {
  test('is enough while other properties of their account change', async () => {
    const { id, as } = await makeKnownUser({ rootRole: 'Admin' });
    await updateUser(elsewhere(), systemUser, id, { name: 'Alice' });
    expect(await promote((await world.user()).id, as)).toMatchObject({ status: 200 });
  });

  test('lets an Owner remove themself with more users than fit into one transaction', async () => {
    const project = await world.project();
    const { as } = await makeKnownUser({ inProject: { project, role: 'Owner' } });
    for (let count = 0; count < 45; count += 1) await world.user({ inProject: { project, role: 'Member' } });
    const path = `/api/admin/projects/${project}/access`;
    expect(await service.put(path, { roles: [] }, as)).toMatchObject({ status: 200 });
    expect((await service.get(path)).body.users).toEqual([]);
  });

  test('is not checked again by a change of flags', async () => {
    const { place } = await world.feature();
    const { as } = await makeKnownUser({ rootRole: 'Admin' });
    const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}`;
    const requests = await recordStoreRequests(service.table, () => service.put(path, { description: 'new' }, as));
    expect(requests.flatMap(({ targets }) => targets).filter((target) => /ACCESS|TOKENS/.test(target))).toEqual([]);
  });
});
