import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('deleteContextFieldLegalValueForProject', {
  route: 'DELETE /api/admin/projects/{projectId}/context/{contextField}/legal-values/{legalValue}',
  may: ['Admin', 'Editor', 'Owner'],
  needs: ['UPDATE_CONTEXT_FIELD', 'UPDATE_PROJECT_CONTEXT'],
  request: async (world) => ({
    params: { ...(await world.projectContextField({ legalValues: [{ value: 'CH' }] })), legalValue: 'CH' },
  }),
  takesAnyName: ['legalValue'],
  differs: '404 for a context field that is not of the project, which Unleash changes',
});

test('A project takes legal values from its own context fields, and from no others', async ({ service, world }) => {
  const legalValues = [{ value: 'CH' }, { value: 'NZ' }];
  const { projectId, contextField } = await world.projectContextField({ legalValues });
  const root = await world.contextField({ legalValues });
  const remove = async (name: string) =>
    (await service.call('DELETE', `/api/admin/projects/${projectId}/context/${name}/legal-values/CH`)).status;
  expect(await remove(contextField)).toBe(200);
  expect((await service.get(`/api/admin/context/${contextField}`)).body.legalValues).toEqual([{ value: 'NZ' }]);
  expect(await remove(root)).toBe(404);
});
