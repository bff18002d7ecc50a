import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteContextFieldForProject', {
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['DELETE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  request: async (world) => ({ params: await world.projectContextField() }),
  again: 404,
  // The projects are asked for first, and then for what the strategies of their features compare.
  waits: 3,
  differs: '404 for a context field that is not of the project, which Unleash deletes',
});

test('A project deletes its own context fields, and no others', async ({ service, world }) => {
  const { projectId, contextField } = await world.projectContextField();
  const remove = async (name: string) =>
    (await service.call('DELETE', `/api/admin/projects/${projectId}/context/${name}`)).status;
  expect(await remove('userId')).toBe(404);
  expect(await remove(contextField)).toBe(200);
  expect((await service.get(`/api/admin/context/${contextField}`)).status).toBe(404);
});

test('A constraint of another project does not keep a project from deleting its context field', async ({
  service,
  world,
}) => {
  const { projectId, contextField: contextName } = await world.projectContextField();
  const constraints = [{ contextName, operator: 'IN', values: ['a'] }];
  const strategyIn = async (project: string) => {
    const { place } = await world.feature({ project });
    const target = `/api/admin/projects/${project}/features/${place.featureName}/environments/${place.environment}/strategies`;
    const { status, body } = await service.post(target, { name: 'default', constraints });
    expect(status).toBe(200);
    return `${target}/${body.id}`;
  };
  await strategyIn('default');
  const own = await strategyIn(projectId);
  const remove = () => service.call('DELETE', `/api/admin/projects/${projectId}/context/${contextName}`);
  expect((await remove()).status).toBe(409);
  expect((await service.call('DELETE', own)).status).toBe(200);
  expect((await remove()).status).toBe(200);
});
