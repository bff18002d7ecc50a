import { describe, expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { createApiToken } from '../../../lib/tokens/api-tokens.ts';
import { writesNothing } from '../../harness/imports.ts';
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

specify('getApiTokensByName', {
  route: 'GET /api/admin/api-tokens/{token}',
  ...openTo('Editor', 'READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'),
  request: async (world) => {
    await world.clientToken();
    return { params: { token: 'client-token-1' } };
  },
  takesAnyName: ['token'],
});

test('All tokens of a name are listed, of the kinds that the caller may read', async ({ service }) => {
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
  request: async (world) => {
    await world.clientToken({ projects: ['default'] });
    return { params: { projectId: 'default' } };
  },
  differs: 'the tokens of the project for everybody; there an admin token is shown those of all projects',
});

test('The tokens of a project are those that name it, alone or among others', async ({ service, world }) => {
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
