import { beforeAll, describe, expect, test } from 'vitest';
import { newProject, projects } from '../../../lib/projects/projects.ts';
import { transact } from '../../../lib/table/transact.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('createProjectApiToken', {
  route: 'POST /api/admin/projects/{projectId}/api-tokens',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['CREATE_PROJECT_API_TOKEN'],
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
  let service: Service;
  beforeAll(async () => {
    service = await freshService();
    // Earlier releases let a seed make one.
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

  test('gives nobody a token of all projects, even where a project is called like that', async () => {
    const token = await new World(service).token({ inProject: { project: '*', role: 'Owner' } });
    const body = { tokenName: 'ci', type: 'client' };
    expect((await service.post('/api/admin/projects/*/api-tokens', body, { token })).status).toBe(404);
    expect((await service.get('/api/admin/projects/*/api-tokens', { token })).body.tokens).toEqual([]);
  });
});
