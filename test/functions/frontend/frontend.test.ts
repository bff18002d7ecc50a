import { expect } from 'vitest';
import { ofReports, registration, usageReport } from '../../specifications/bodies.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getFrontendApiFeaturesWithPost', {
  route: 'POST /api/frontend',
  may: 'frontend tokens',
  request: async (world) => {
    await world.deliveredFeature();
    return { body: { context: { appName: 'shop', userId: '7', properties: { plan: 'paid' } } } };
  },
});

test('A context in the body, of texts, numbers and truth values, outranks the query', async ({ service, world }) => {
  const constraints = [
    { contextName: 'age', operator: 'NUM_GT', value: '17' },
    { contextName: 'member', operator: 'IN', values: ['true'] },
    { contextName: 'userId', operator: 'IN', values: ['7'] },
  ];
  await world.feature({ on: true, strategies: [{ name: 'default', constraints }] });
  const token = await world.sdkToken('frontend');
  const post = (body: unknown, query = '') => service.post(`/api/frontend${query}`, body, { token });
  const context = { userId: 7, properties: { age: 18, member: true, nothing: null } };
  expect((await post({ context })).body.toggles).toHaveLength(1);
  expect((await post({ context }, '?userId=8')).body.toggles).toHaveLength(1);
  expect((await post({ context: { properties: context.properties } }, '?userId=7')).body.toggles).toHaveLength(1);
  expect((await post({})).body.toggles).toEqual([]);
  expect(await service.call('POST', '/api/frontend', { token })).toMatchObject({ status: 200, body: { toggles: [] } });
  const answer = await post({ context: { userId: ['7'], properties: { age: {} }, name: 'n'.repeat(4_097) } });
  expect(answer.status).toBe(400);
  expect(answer.body.details.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    'context.name',
    'context.properties.age',
    'context.userId',
  ]);
});

specify('registerFrontendClient', {
  route: 'POST /api/frontend/client/register',
  may: 'frontend tokens',
  request: async (world) => ({ body: registration(world) }),
  ...ofReports,
});

specify('registerFrontendMetrics', {
  route: 'POST /api/frontend/client/metrics',
  may: 'frontend tokens',
  request: async (world) => ({ body: await usageReport(world) }),
  ...ofReports,
});
