import { describe, expect, test, vi } from 'vitest';
import * as environmentKeys from '../../../lib/environments/keys.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { addInitTokens } from '../../../lib/tokens/init-tokens.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { pathsIn } from '../../specifications/expect.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('createApiToken', {
  route: 'POST /api/admin/api-tokens',
  ...openTo('Admin', 'CREATE_CLIENT_API_TOKEN', 'CREATE_FRONTEND_API_TOKEN'),
  request: (world) => ({
    body: {
      tokenName: world.name('token'),
      username: 'its name in older requests',
      type: 'client',
      environment: 'development',
      project: 'default',
      projects: ['default'],
      expiresAt: '2030-01-01T00:00:00Z',
    },
  }),
  others: {
    'a frontend token for all projects': (world) => ({ body: { tokenName: world.name('token'), type: 'FRONTEND' } }),
  },
  required: ['type'],
  needed: ['tokenName', 'username'],
  nullable: ['expiresAt'],
  again: 'once more',
  differs:
    'the secret of a client token is shown here only, unless READABLE_CLIENT_TOKENS is set; unknown projects and environments are 404',
});

const { service, world } = sharedWorld();

const create = (body: object) => service.post('/api/admin/api-tokens', body);

describe('Creating an SDK token', () => {
  test('returns it with its secret and a location', async () => {
    const expiresAt = '2030-06-01T12:00:00+02:00';
    const { status, headers, body } = await create({ tokenName: 'shop server', type: 'client', expiresAt });
    expect(status).toBe(201);
    expect(headers.location).toBe('/api/admin/api-tokens');
    expect(body).toEqual({
      secret: expect.stringMatching(/^\*:development\.[0-9a-f]{56}$/),
      tokenName: 'shop server',
      type: 'client',
      environment: 'development',
      project: '*',
      projects: ['*'],
      createdAt: expect.any(String),
      expiresAt: '2030-06-01T10:00:00.000Z',
      seenAt: null,
      alias: null,
      secure: true,
    });
  });

  test.each(['client', 'CLIENT', 'backend', 'BackEnd'])(
    'takes the type "%s" for a client token, and shows that word',
    async (sent) => {
      const type = sent.toLowerCase();
      const { body } = await create({ tokenName: sent, type: sent });
      expect(body.type).toBe(type);
      expect((await service.get('/api/client/missing', { token: body.secret })).status).toBe(404);
      const path = `/api/admin/api-tokens/${encodeURIComponent(body.secret)}`;
      expect((await service.put(path, { expiresAt: '2030-01-01T00:00:00Z' })).status).toBe(200);
      const listed = (await service.get(`/api/admin/api-tokens/${sent}`)).body.tokens;
      expect(listed).toMatchObject([{ type, expiresAt: '2030-01-01T00:00:00.000Z' }]);
      const [created, updated] = (await serviceEvents(service.table)).slice(-2);
      expect([created?.data, updated?.data, updated?.preData]).toMatchObject([{ type }, { type }, { type }]);
    },
  );

  test.each(['frontend', 'FRONTEND'])('takes the type "%s" for a frontend token', async (type) => {
    const { body } = await create({ tokenName: 'ci', type });
    expect(body.type).toBe('frontend');
    expect((await service.get('/api/frontend/missing', { token: body.secret })).status).toBe(404);
  });

  test('takes several projects or all, without duplicates', async () => {
    const project = await world.project();
    const projectsOf = async (body: object) => {
      const { secret, project: text, projects } = (await create({ tokenName: 'ci', type: 'client', ...body })).body;
      return [secret.split('.')[0], text, projects];
    };
    expect(await projectsOf({ project })).toEqual([`${project}:development`, project, [project]]);
    expect(await projectsOf({ projects: [project] })).toEqual([`${project}:development`, project, [project]]);
    const two = [project, 'default'];
    expect(await projectsOf({ projects: [...two, project] })).toEqual(['[]:development', two.join(), two]);
    expect(await projectsOf({ projects: [project, '*'] })).toEqual(['*:development', '*', ['*']]);
    expect(await projectsOf({ project: '*' })).toEqual(['*:development', '*', ['*']]);
  });

  test('takes its name as username from older clients', async () => {
    expect((await create({ username: 'terraform', type: 'client' })).body.tokenName).toBe('terraform');
    expect(pathsIn(await create({ type: 'client' }))).toEqual(['tokenName']);
  });

  test('refuses all environments, and project together with projects', async () => {
    const both = await create({ tokenName: 'ci', type: 'client', project: 'default', projects: ['default', 'shop'] });
    expect([both.status, pathsIn(both)]).toEqual([400, ['project']]);
    const none = await create({ tokenName: 'ci', type: 'client', environment: '*', projects: [] });
    expect([none.status, pathsIn(none)]).toEqual([400, ['environment', 'projects']]);
    const admin = await create({ tokenName: 'ci', type: 'admin' });
    expect([admin.status, pathsIn(admin)]).toEqual([400, ['type']]);
    expect(admin.text).toContain('npm run token');
  });

  test('is a 404 that names all unknown projects and environments', async () => {
    const answer = await create({
      tokenName: 'ci',
      type: 'client',
      environment: 'qa',
      projects: ['default', 'a', 'b'],
    });
    expect([answer.status, answer.body.name]).toEqual([404, 'NotFoundError']);
    expect(answer.body.details.map(({ message }: { message: string }) => message)).toEqual([
      'There is no environment "qa".',
      'There is no project "a".',
      'There is no project "b".',
    ]);
  });

  test('raises the count of its environment', async () => {
    const count = async () =>
      (await service.get('/api/admin/environments')).body.environments.find(
        ({ name }: { name: string }) => name === 'production',
      ).apiTokenCount;
    const before = await count();
    const { secret } = (await create({ tokenName: 'ci', type: 'client', environment: 'production' })).body;
    expect(await count()).toBe(before + 1);
    await service.call('DELETE', `/api/admin/api-tokens/${encodeURIComponent(secret)}`);
    expect(await count()).toBe(before);
  });

  test('is refused at 2,000 tokens, and the error names the limit', async () => {
    const other = await freshService();
    const shard = environmentKeys.environmentCountShards[0];
    if (shard === undefined) throw new Error('There are no counts.');
    await transact(other.table, [{ add: shard, amounts: { 'apiTokenCount:production': 1_999 } }], undefined);
    const body = { tokenName: 'ci', type: 'client' };
    expect((await other.post('/api/admin/api-tokens', body)).status).toBe(201);
    const refused = await other.post('/api/admin/api-tokens', body);
    expect([refused.status, refused.body.message]).toEqual([400, 'At most 2000 API tokens are allowed.']);
    // Those of the settings of a service have to be there all the same.
    const secret = makeSecret({ projects: ['*'], environment: 'development' });
    await addInitTokens(other.table, { adminTokens: [], clientTokens: [secret] });
    expect((await other.get('/api/client/missing', { token: secret })).status).toBe(404);
  });
});

test('READABLE_CLIENT_TOKENS shows the secrets of client tokens that were created with it', async () => {
  const shown = async () => (await service.get('/api/admin/api-tokens')).text;
  const before = await world.clientToken();
  vi.stubEnv('READABLE_CLIENT_TOKENS', 'true');
  const secret = await world.clientToken();
  expect(await shown()).toContain(secret);
  expect(await shown()).not.toContain(before);
  vi.stubEnv('READABLE_CLIENT_TOKENS', 'false');
  expect(await shown()).not.toContain(secret);
});
