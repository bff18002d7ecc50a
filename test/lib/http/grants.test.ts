import { beforeEach, describe, expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { type Endpoint, isGrant } from '../../../lib/http/declaration.ts';
import { audienceOf } from '../../../lib/http/middleware/authenticate.ts';
import { deleteUserWhoSignsIn } from '../../../lib/sign-in/delete-user.ts';
import { endSession } from '../../../lib/sign-in/sessions.ts';
import type { Table } from '../../../lib/table/table.ts';
import { updateUser } from '../../../lib/users/administer-users.ts';
import { rootRoles } from '../../../lib/users/permissions.ts';
import { hashOf } from '../../../lib/users/token.ts';
import { idOf, revokeToken } from '../../../lib/users/tokens.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { fromOwnPage, giveSession } from '../../harness/sign-in.ts';
import { World } from '../../harness/world.ts';
import { oidc } from '../../specifications/bodies.ts';

type Sent = readonly [method: 'POST' | 'PUT', path: string, body: object];

const expiresAt = '2126-01-01T00:00:00Z';
const sdkToken = { tokenName: 'x', type: 'client', environment: 'development', projects: ['default'] };
const password = { password: 'Another-horse_8', confirmPassword: 'Another-horse_8' };

/** A request of each operation that gives somebody a way in. */
const grants: Readonly<Record<string, (world: World) => Sent | Promise<Sent>>> = {
  createPat: () => ['POST', 'user/tokens', { description: 'x', expiresAt }],
  createApiToken: () => ['POST', 'api-tokens', sdkToken],
  createProjectApiToken: () => ['POST', 'projects/default/api-tokens', sdkToken],
  createServiceAccountToken: async (world) => [
    ...(['POST', `service-account/${(await world.serviceAccount()).id}/token`] as const),
    { description: 'x', expiresAt },
  ],
  createUser: () => ['POST', 'user-admin', { username: 'new', rootRole: 1 }],
  resetUserPassword: async (world) => ['POST', 'user-admin/reset-password', { id: (await world.user()).username }],
  changeUserPassword: async (world) => [
    ...(['POST', `user-admin/${(await world.user()).id}/change-password`] as const),
    password,
  ],
  createPublicSignupToken: () => ['POST', 'invite-link/tokens', { name: 'x', expiresAt }],
  updatePublicSignupToken: async (world) => [
    'PUT',
    `invite-link/tokens/${await world.invitation()}`,
    { enabled: false },
  ],
  setOidcSettings: () => ['POST', 'auth/oidc/settings', oidc('x')],
};

let service: Service;
let world: World;
let admin: { readonly id: number; readonly username: string };
/** The store as another process has it open, which this one learns nothing from. */
let elsewhere: Table;
beforeEach(async () => {
  service = await freshService();
  world = new World(service);
  admin = await world.user({ rootRole: 'Admin' });
  elsewhere = { ...service.table, client: Object.create(service.table.client) };
});

const whoAmI = '/api/admin/user';
const send = ([method, path, body]: Sent, headers: Readonly<Record<string, string>>, token: string | null = null) =>
  service.call(method, `/api/admin/${path}`, { token, body, headers });

test('What gives somebody a way in is known', () => {
  const declared = Object.entries<Endpoint>(registry).filter(
    ([, { declaration }]) => isGrant(declaration) && audienceOf(declaration.path) === 'admin',
  );
  expect(declared.map(([operationId]) => operationId).toSorted()).toEqual(Object.keys(grants).toSorted());
});

describe('Nobody is given a way in', () => {
  test.each(Object.keys(grants))('by %s in a session that has ended, though this process trusts it', async (name) => {
    const request = await grants[name]?.(world);
    const cookie = await giveSession(service.table, admin.id);
    const headers = { cookie, ...fromOwnPage };
    expect((await service.get(whoAmI, { token: null, headers })).status).toBe(200);
    await endSession(elsewhere, cookie.slice(cookie.indexOf('=') + 1));
    expect((await service.get(whoAmI, { token: null, headers })).status).toBe(200);
    expect(await send(request as Sent, headers)).toMatchObject({ status: 401 });
  });

  const request: Sent = ['POST', 'api-tokens', sdkToken];

  test('by a token that was revoked', async () => {
    const token = await world.token({ rootRole: 'Admin' });
    expect((await service.get(whoAmI, { token })).status).toBe(200);
    await revokeToken(elsewhere, idOf(hashOf(token)));
    expect(await send(request, {}, token)).toMatchObject({ status: 401 });
  });

  test('by a user who was deleted, or is no Admin any more', async () => {
    const headers = { cookie: await giveSession(service.table, admin.id), ...fromOwnPage };
    expect((await service.get(whoAmI, { token: null, headers })).status).toBe(200);
    await updateUser(elsewhere, systemUser, admin.id, { rootRole: rootRoles.Viewer });
    expect(await send(request, headers)).toMatchObject({ status: 403 });
    await deleteUserWhoSignsIn(elsewhere, systemUser, admin.id);
    expect(await send(request, headers)).toMatchObject({ status: 401 });
  });

  test('but by callers who are there still', async () => {
    const headers = { cookie: await giveSession(service.table, admin.id), ...fromOwnPage };
    expect(await send(request, headers)).toMatchObject({ status: 201 });
    expect(await send(request, {}, await world.token({ rootRole: 'Admin' }))).toMatchObject({ status: 201 });
  });
});
