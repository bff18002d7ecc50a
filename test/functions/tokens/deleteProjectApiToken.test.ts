import { describe, expect, test } from 'vitest';
import { writesNothing } from '../../harness/imports.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('deleteProjectApiToken', {
  route: 'DELETE /api/admin/projects/{projectId}/api-tokens/{token}',
  versionAt: 'replies',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['DELETE_PROJECT_API_TOKEN'],
  request: async (world) => ({
    params: { projectId: 'default', token: await world.clientToken({ projects: ['default'] }) },
  }),
  again: 404,
});

describe('Deleting a token of a project', () => {
  const { service, world } = sharedWorld();
  const remove = (project: string, token: string) =>
    service.call('DELETE', `/api/admin/projects/${project}/api-tokens/${encodeURIComponent(token)}`);

  test('is refused with 404 where the token is not for the project, or for all', async () => {
    const project = await world.project();
    const tokens = [await world.clientToken({ projects: [project] }), await world.clientToken(), service.adminToken];
    for (const token of tokens) {
      expect((await writesNothing(service, () => remove('default', token))).status).toBe(404);
    }
    expect((await remove(project, tokens[0] ?? '')).status).toBe(200);
  });

  test('is refused with 400 that says so where it is for other projects as well', async () => {
    const project = await world.project();
    const token = await world.clientToken({ projects: ['default', project] });
    const { status, body } = await writesNothing(service, () => remove('default', token));
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    expect(body.message).toContain(`default, ${project}`);
  });
});
