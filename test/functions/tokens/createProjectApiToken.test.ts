import { beforeAll, describe, expect, test } from 'vitest';
import { newProject, projects } from '../../../lib/projects/projects.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

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
  const service = sharedService();
  beforeAll(async () => {
    // The name that stands for all projects.
    const createdAt = new Date().toISOString();
    const { writes } = projects.created({ ...newProject, id: '*', name: 'All', createdAt }, createdAt);
    await transact(service.table, writes, undefined);
  });

  test('makes one for this project alone, whatever the body says', async () => {
    const body = { tokenName: 'ci', type: 'client', project: '*', projects: ['*'] };
    const answer = await service.post('/api/admin/projects/default/api-tokens', body);
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe('/api/admin/projects/default/api-tokens');
    expect(answer.body).toMatchObject({ type: 'client', project: 'default', projects: ['default'] });
    expect(answer.body.secret).toMatch(/^default:development\.[0-9a-f]{56}$/);
  });

  test('ends at a tenth of the tokens that there may be, so that no project uses up those of others', async () => {
    process.env.API_TOKENS_LIMIT = '20';
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
    delete process.env.API_TOKENS_LIMIT;
    process.env.TABLE_NAME = service.table.store.name;
  });

  test('gives nobody a token of all projects, even where a project is called like that', async () => {
    const token = await new World(service).token({ inProject: { project: '*', role: 'Owner' } });
    const body = { tokenName: 'ci', type: 'client' };
    expect((await service.post('/api/admin/projects/*/api-tokens', body, { token })).status).toBe(404);
    expect((await service.get('/api/admin/projects/*/api-tokens', { token })).body.tokens).toEqual([]);
  });
});
