import { beforeAll, describe, expect, vi } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import * as tokenKeys from '../../../lib/identity/tokens/keys.ts';
import { hashOf } from '../../../lib/identity/tokens/token.ts';
import { createToken } from '../../../lib/identity/tokens/tokens.ts';
import { newProject, projects } from '../../../lib/projects/projects.ts';
import { readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { createApiToken } from '../../../lib/tokens/api-tokens.ts';
import { writesNothing } from '../../harness/imports.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { openTo, sharedWorld, specify, test } from '../../specifications/specify.ts';

specify('deleteProjectApiToken', {
  route: 'DELETE /api/admin/projects/{projectId}/api-tokens/{token}',
  versionAt: 'replies',
  ...openTo('Member', 'DELETE_PROJECT_API_TOKEN'),
  request: async (world) => ({
    params: { projectId: 'default', token: await world.clientToken({ projects: ['default'] }) },
  }),
  again: 404,
});

describe('Deleting a token of a project', () => {
  const { service, world } = sharedWorld();
  const remove = (project: string, token: string) =>
    service.call('DELETE', `/api/admin/projects/${project}/api-tokens/${encodeURIComponent(token)}`);

  test('is a 404 if the token is not for the project, or is for all', async () => {
    const project = await world.project();
    const tokens = [await world.clientToken({ projects: [project] }), await world.clientToken(), service.adminToken];
    for (const token of tokens) {
      expect((await writesNothing(service, () => remove('default', token))).status).toBe(404);
    }
    expect((await remove(project, tokens[0] ?? '')).status).toBe(200);
  });

  test('is a 400 that names the projects of a token of several', async () => {
    const project = await world.project();
    const token = await world.clientToken({ projects: ['default', project] });
    const { status, body } = await writesNothing(service, () => remove('default', token));
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    expect(body.message).toContain(`default, ${project}`);
  });
});

specify('getApiTokensByName', {
  route: 'GET /api/admin/api-tokens/{token}',
  ...openTo('Editor', 'READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'),
  given: (world) => world.clientToken(),
  request: () => ({ params: { token: 'client-token-1' } }),
  takesAnyName: ['token'],
});

test('Tokens with a name are listed, of the kinds that the caller may read', async ({ service }) => {
  const scope = { name: 'my own token', projects: ['*'], environment: 'development' };
  for (const kind of ['client', 'frontend'] as const)
    await createApiToken(service.table, systemUser, { kind, ...scope });
  await new World(service).clientToken();
  const named = async (name: string, token = service.adminToken) => {
    const { body } = await service.get(`/api/admin/api-tokens/${encodeURIComponent(name)}`, { token });
    // Those that were made at the same time have no order.
    return body.tokens.toSorted((a: { type: string }, b: { type: string }) => a.type.localeCompare(b.type));
  };
  expect(await named('my own token')).toMatchObject([
    { tokenName: 'my own token', type: 'client' },
    { tokenName: 'my own token', type: 'frontend' },
  ]);
  expect(await named('my')).toEqual([]);
  expect(await named('admin')).toMatchObject([{ type: 'admin' }]);
  expect(await named('admin', await new World(service).token({ rootRole: 'Editor' }))).toEqual([]);
});

specify('getProjectApiTokens', {
  route: 'GET /api/admin/projects/{projectId}/api-tokens',
  ...openTo('Member', 'READ_PROJECT_API_TOKEN'),
  given: (world) => world.clientToken({ projects: ['default'] }),
  request: () => ({ params: { projectId: 'default' } }),
  differs: 'the tokens of the project for everybody; there an admin token is shown those of all projects',
});

test('The tokens of a project are those that name it, also among others', async ({ service, world }) => {
  const [mine, other] = [await world.project(), await world.project()];
  await world.clientToken({ projects: [mine] });
  await world.frontendToken({ projects: [other, mine] });
  await world.clientToken({ projects: [other] });
  await world.clientToken();
  const { body } = await service.get(`/api/admin/projects/${mine}/api-tokens`);
  expect(body.tokens).toMatchObject([
    { tokenName: 'client-token-1', type: 'client', projects: [mine] },
    { tokenName: 'frontend-token-1', type: 'frontend', projects: [other, mine], project: `${other},${mine}` },
  ]);
});

specify('updateApiToken', {
  route: 'PUT /api/admin/api-tokens/{token}',
  versionAt: 'replies',
  ...openTo('Admin', 'UPDATE_CLIENT_API_TOKEN', 'UPDATE_FRONTEND_API_TOKEN'),
  request: async (world) => ({
    params: { token: await world.clientToken() },
    body: { expiresAt: '2030-01-01T00:00:00Z' },
  }),
  required: ['expiresAt'],
  nullable: ['expiresAt'],
  differs: 'an unknown token is 404; null for one that does not expire',
});

describe('Changing when a token expires', () => {
  const { service, world } = sharedWorld();
  const update = (token: string, expiresAt: string | null) =>
    service.put(`/api/admin/api-tokens/${encodeURIComponent(token)}`, { expiresAt });
  const expiryOf = async (name: string) =>
    (await service.get(`/api/admin/api-tokens/${name}`)).body.tokens[0].expiresAt;

  test('prolongs it, or removes its expiry', async () => {
    const secret = await world.frontendToken({ projects: ['default'] });
    const name = 'frontend-token-1';
    expect(await update(secret, '2031-01-01T00:00:00+01:00')).toMatchObject({ status: 200, text: '' });
    expect(await expiryOf(name)).toBe('2030-12-31T23:00:00.000Z');
    await update(secret, null);
    expect(await expiryOf(name)).toBeNull();
  });

  test('revives an expired token that the store has not deleted yet', async () => {
    const { value } = await createApiToken(service.table, systemUser, {
      kind: 'client',
      name: 'late',
      projects: ['*'],
      environment: 'development',
      expiresAt: new Date(Date.now() - 1_000),
    });
    const { secret } = value;
    expect(await readItem(service.table, tokenKeys.token(hashOf(secret)))).not.toHaveProperty('expiresAtSeconds');
    // A token with the form of an admin token is refused there before it is looked up, as on Unleash.
    const refusal = secret.startsWith('*:*.') ? 403 : 401;
    expect((await service.get('/api/client/missing', { token: secret })).status).toBe(refusal);
    expect((await update(secret, '2030-01-01T00:00:00Z')).status).toBe(200);
  });

  test('changes when the store may delete an admin token', async () => {
    const { secret } = await createToken(service.table, {
      kind: 'admin',
      name: 'ci',
      expiresAt: new Date('2029-01-01'),
    });
    await update(secret, '2030-01-01T00:00:00Z');
    const item = await readItem<{ expiresAtSeconds?: number }>(service.table, tokenKeys.token(hashOf(secret)));
    expect(item?.expiresAtSeconds).toBe(Date.parse('2030-01-01') / 1000);
    await update(secret, null);
    expect(await readItem(service.table, tokenKeys.token(hashOf(secret)))).not.toHaveProperty('expiresAtSeconds');
  });

  test('is refused for a personal access token', async () => {
    expect((await update(await world.token(), null)).status).toBe(404);
  });
});

specify('deleteApiToken', {
  route: 'DELETE /api/admin/api-tokens/{token}',
  versionAt: 'replies',
  ...openTo('Admin', 'DELETE_CLIENT_API_TOKEN', 'DELETE_FRONTEND_API_TOKEN'),
  request: async (world) => ({ params: { token: await world.clientToken() } }),
  others: { 'by its id': async (world) => ({ params: { token: hashOf(await world.frontendToken()).slice(0, 16) } }) },
  again: 404,
  differs: 'an unknown token is 404',
});

describe('Deleting a token', () => {
  const { service, world } = sharedWorld();
  const remove = (target: string, token = service.adminToken) =>
    service.call('DELETE', `/api/admin/api-tokens/${target}`, { token });
  const list = async () => (await service.get('/api/admin/api-tokens')).body.tokens;

  test('finds it by its secret, escaped or not, its id, or its mask in a list', async () => {
    const secret = await world.clientToken();
    // As Terraform sends it.
    expect((await remove(secret.replace('*', '%2A'))).status).toBe(200);
    expect((await remove(await world.clientToken())).status).toBe(200);
    const [byId, shown] = [await world.clientToken(), await world.clientToken()];
    expect((await remove(hashOf(byId).slice(0, 16))).status).toBe(200);
    const masked = (await list()).at(-1).secret;
    expect(masked).toMatch(/^\*:development\.[0-9a-f]{7}\*{3}masked-since-shown-once\*{3}[0-9a-f]{16}$/);
    expect((await remove(encodeURIComponent(masked))).status).toBe(200);
    expect(await list()).toHaveLength(1);
    for (const token of [secret, byId, shown]) {
      expect((await service.get('/api/client/missing', { token })).status).toBe(401);
    }
  });

  test('does not repeat an unknown secret in the error', async () => {
    const secret = await world.clientToken();
    const slip = `${secret.slice(0, -1)}x`;
    const { status, text } = await writesNothing(service, () => remove(encodeURIComponent(slip)));
    expect(status).toBe(404);
    expect(text).not.toContain(secret.split('.')[1]?.slice(0, 16));
  });

  test('refuses personal access tokens, but not admin tokens', async () => {
    expect((await remove(await world.token())).status).toBe(404);
    const { secret } = await createToken(service.table, { kind: 'admin', name: 'ci' });
    expect((await remove(encodeURIComponent(secret))).status).toBe(200);
  });
});

specify('getAllApiTokens', {
  route: 'GET /api/admin/api-tokens',
  ...openTo('Editor', 'READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'),
  given: (world) => world.clientToken({ projects: ['default'] }),
  differs: 'client tokens without their secrets, unless READABLE_CLIENT_TOKENS is set',
});

test('API tokens are listed by age, of the kinds that the caller may read, without secrets', async ({
  service,
  world,
}) => {
  await world.clientToken({ projects: ['default'] });
  const frontend = await world.frontendToken({ environment: 'production' });
  const listed = async (token: string) => (await service.get('/api/admin/api-tokens', { token })).body.tokens;
  // test/lib/tokens/token.test.ts has what it shows of each.
  const masked = expect.stringContaining('***masked-since-shown-once***');
  const ofSdks = [
    { type: 'client', secret: masked, projects: ['default'], environment: 'development' },
    { type: 'frontend', secret: frontend, projects: ['*'], environment: 'production' },
  ];
  expect(await listed(service.adminToken)).toMatchObject([{ type: 'admin', secret: masked }, ...ofSdks]);
  expect(await listed(await world.token({ rootRole: 'Editor' }))).toMatchObject(ofSdks);
});

test('The mask of a secret gives no access', async ({ service, world }) => {
  await createToken(service.table, { kind: 'admin', name: 'ci' });
  await world.clientToken();
  const { tokens } = (await service.get('/api/admin/api-tokens')).body;
  for (const { secret } of tokens) {
    expect((await service.get('/api/admin/api-tokens', { token: secret })).status).toBe(401);
    // A token with the form of an admin token is refused there before it is looked up, as on Unleash.
    const refusal = secret.startsWith('*:*.') ? 403 : 401;
    expect((await service.get('/api/client/missing', { token: secret })).status).toBe(refusal);
  }
});

specify('createProjectApiToken', {
  route: 'POST /api/admin/projects/{projectId}/api-tokens',
  ...openTo('Member', 'CREATE_PROJECT_API_TOKEN'),
  request: (world) => ({
    params: { projectId: 'default' },
    body: {
      tokenName: world.name('token'),
      username: 'its name in older requests',
      type: 'frontend',
      environment: 'development',
      expiresAt: '2030-01-01T00:00:00Z',
    },
  }),
  required: ['type'],
  needed: ['tokenName', 'username'],
  nullable: ['expiresAt'],
  again: 'once more',
});

describe('Creating a token of a project', () => {
  const { service, world } = sharedWorld();
  beforeAll(async () => {
    // The name that stands for all projects.
    const createdAt = new Date().toISOString();
    const { writes } = projects.buildCreationEffects({ ...newProject, id: '*', name: 'All', createdAt }, createdAt);
    await transact(service.table, writes, undefined);
  });

  test('ignores projects in the body', async () => {
    const body = { tokenName: 'ci', type: 'client', project: '*', projects: ['*'] };
    const answer = await service.post('/api/admin/projects/default/api-tokens', body);
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe('/api/admin/projects/default/api-tokens');
    expect(answer.body).toMatchObject({ type: 'client', project: 'default', projects: ['default'] });
    expect(answer.body.secret).toMatch(/^default:development\.[0-9a-f]{56}$/);
  });

  test('is refused at a tenth of all tokens that there may be', async () => {
    vi.stubEnv('API_TOKENS_LIMIT', '20');
    const fresh = await freshService();
    const world = new World(fresh);
    const [mine, other] = [await world.project(), await world.project()];
    const token = await world.token({ inProject: { project: mine, role: 'Member' } });
    const make = (project: string, by = fresh.adminToken) =>
      fresh.post(`/api/admin/projects/${project}/api-tokens`, { tokenName: 'ci', type: 'client' }, { token: by });
    await world.clientToken();
    await world.clientToken({ projects: [mine, other] });
    for (const _ of [1, 2]) expect((await make(mine, token)).status).toBe(201);
    const refused = await make(mine, token);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'At most 2 API tokens for one project alone (a tenth of API_TOKENS_LIMIT) are allowed.',
    ]);
    expect((await make(other)).status).toBe(201);
    const path = `/api/admin/projects/${mine}/api-tokens`;
    const [own] = (await fresh.get(path)).body.tokens.filter(({ project }: { project: string }) => project === mine);
    await fresh.call('DELETE', `${path}/${encodeURIComponent(own.secret)}`);
    expect((await make(mine, token)).status).toBe(201);
  });

  test('never makes a token of all projects, even for a project called "*"', async () => {
    const token = await world.token({ inProject: { project: '*', role: 'Owner' } });
    const body = { tokenName: 'ci', type: 'client' };
    expect((await service.post('/api/admin/projects/*/api-tokens', body, { token })).status).toBe(404);
    expect((await service.get('/api/admin/projects/*/api-tokens', { token })).body.tokens).toEqual([]);
  });
});
