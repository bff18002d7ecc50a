import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getProjectApiTokens', {
  route: 'GET /api/admin/projects/{projectId}/api-tokens',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['READ_PROJECT_API_TOKEN'],
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
