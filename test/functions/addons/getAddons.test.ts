import { expect, test } from 'vitest';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getAddons', {
  route: 'GET /api/admin/addons',
  may: 'any token',
  request: async (world) => {
    await world.addon();
    return {};
  },
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
