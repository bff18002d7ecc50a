import { expect } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getAddon', {
  route: 'GET /api/admin/addons/{id}',
  may: 'any token',
  request: async (world) => ({ params: { id: await world.addon() } }),
});

test('Of an addon whose provider nobody knows, no parameter is shown', async ({ service, world }) => {
  const id = await world.addon({ provider: 'pigeon', parameters: { route: 'a-secret' } });
  expect((await service.get(`/api/admin/addons/${id}`)).body.parameters).toEqual({ route: '*****' });
  expect(await service.get('/api/admin/addons/99')).toMatchObject({ status: 404 });
});

specify('getAddons', {
  route: 'GET /api/admin/addons',
  may: 'any token',
  given: (world) => world.addon(),
});

interface Provider {
  readonly name: string;
  readonly parameters: readonly object[];
  readonly events: readonly string[];
}

test('The providers are those of Unleash 7.6.5, each with its parameters', async () => {
  const { providers } = (await (await freshService()).get('/api/admin/addons')).body;
  const outlines = providers.map(({ name, parameters, events }: Provider) => [
    name,
    parameters.length,
    new Set(events).size,
  ]);
  // Counted in what Unleash answers.
  expect(outlines).toEqual([
    ['webhook', 7, 33],
    ['slack', 5, 17],
    ['slack-app', 2, 63],
    ['teams', 2, 32],
    ['datadog', 5, 15],
    ['new-relic', 4, 15],
    ['eventbridge', 1, 33],
  ]);
});
