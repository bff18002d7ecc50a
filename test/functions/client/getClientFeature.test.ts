import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getClientFeature', {
  route: 'GET /api/client/features/{featureName}',
  may: 'client tokens',
  request: async (world) => ({ params: { featureName: (await world.deliveredFeature()).name } }),
});

test('An SDK gets one feature as in the list, and 404 for one that its token may not read', async ({
  service,
  world,
}) => {
  const shop = await world.project();
  const feature = await world.feature({ project: shop, on: true });
  const token = await world.clientToken({ projects: [shop] });
  const path = `/api/client/features/${feature.name}`;
  const { body } = await service.get('/api/client/features', { token });
  expect(await service.get(path, { token })).toMatchObject({ status: 200, body: body.features[0] });
  const other = await world.clientToken({ projects: ['default'] });
  expect(await service.get(path, { token: other })).toMatchObject({ status: 404, body: { name: 'NotFoundError' } });
});
