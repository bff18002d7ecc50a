import { beforeEach, describe, expect, test } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { deleteUserWhoSignsIn } from '../../../lib/sign-in/delete-user.ts';
import { updateUser } from '../../../lib/users/administer-users.ts';
import { rootRoles } from '../../../lib/users/permissions.ts';
import { hashOf } from '../../../lib/users/token.ts';
import { idOf, revokeToken } from '../../../lib/users/tokens.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { type CallOptions, freshService, type Reply, type Service } from '../../harness/service.ts';
import { fromOwnPage, giveSession } from '../../harness/sign-in.ts';
import { World } from '../../harness/world.ts';

let service: Service;
let world: World;
beforeEach(async () => {
  service = await freshService();
  world = new World(service);
});

const sdkToken = { tokenName: 'x', type: 'client', environment: 'development', projects: ['default'] };
const createToken = (as: CallOptions): Promise<Reply> => service.post('/api/admin/api-tokens', sdkToken, as);
const whoAmI = (as: CallOptions) => service.get('/api/admin/user', as);

/** An Admin in a session that this process knows. */
async function signedIn() {
  const { id } = await world.user({ rootRole: 'Admin' });
  const cookie = await giveSession(service.table, id);
  const inSession = { token: null, headers: { cookie, ...fromOwnPage } };
  expect((await whoAmI(inSession)).status).toBe(200);
  return { id, inSession };
}

// That no operation does so in a session that has ended is a part of what each is held against.
describe('Nobody is given a way in', () => {
  test('by a token that was revoked', async () => {
    const token = await world.token({ rootRole: 'Admin' });
    expect((await whoAmI({ token })).status).toBe(200);
    await revokeToken(anotherProcess(service.table), idOf(hashOf(token)));
    expect(await createToken({ token })).toMatchObject({ status: 401 });
  });

  test('by a user who is no Admin any more, or who was deleted', async () => {
    const { id, inSession } = await signedIn();
    await updateUser(anotherProcess(service.table), systemUser, id, { rootRole: rootRoles.Viewer });
    expect(await createToken(inSession)).toMatchObject({ status: 403 });
    await deleteUserWhoSignsIn(anotherProcess(service.table), systemUser, id);
    expect(await createToken(inSession)).toMatchObject({ status: 401 });
  });

  test('but by callers who are there still', async () => {
    const { inSession } = await signedIn();
    expect(await createToken(inSession)).toMatchObject({ status: 201 });
    expect(await createToken({ token: await world.token({ rootRole: 'Admin' }) })).toMatchObject({ status: 201 });
  });
});
