import { beforeAll, describe, expect, test } from 'vitest';
import { paths, problemPaths, shopSeed } from '../../harness/features.ts';
import { writesNothing } from '../../harness/imports.ts';
import type { Reply } from '../../harness/service.ts';
import { sharedWorld } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);
const environments = '/api/admin/projects/default/environments';
let name = '';
let stored = '';
beforeAll(async () => {
  const feature = await world.feature();
  name = feature.name;
  stored = `${paths.strategies(name)}/${await world.strategy(feature)}`;
});

/** The operations that take a strategy, and what stands before its places in their bodies. */
const operations: readonly [what: string, place: string, send: (strategy: object) => Promise<Reply>][] = [
  ['that is added to a feature', '', (strategy) => service.post(paths.strategies(name), strategy)],
  ['that is updated', '', (strategy) => service.put(stored, strategy)],
  ['that is patched', '', (strategy) => service.call('PATCH', stored, { body: patchOf(strategy) })],
  [
    'that is the default one of an environment',
    '',
    (strategy) => service.post(`${environments}/development/default-strategy`, strategy),
  ],
  [
    'that is the default one of all environments',
    '',
    (strategy) => service.post(`${environments}/*/default-strategy`, strategy),
  ],
  [
    'that comes with an environment',
    'defaultStrategy.',
    (defaultStrategy) => service.post(environments, { environment: 'staging', defaultStrategy }),
  ],
];

function patchOf(strategy: object) {
  return Object.entries(strategy).map(([field, value]) => ({ op: 'add', path: `/${field}`, value }));
}

// test/lib/features/strategies/strategy-references.test.ts has all that can be wrong with them.
describe.each(operations)('A strategy %s', (_what, place, send) => {
  test('is refused with all that it must not name, and nothing is written', async () => {
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['DE'] }];
    const strategy = { name: 'unknown', segments: [1, 7], constraints };
    const answer = await writesNothing(service, () => send(strategy));
    expect(problemPaths(answer)).toEqual(['constraints.0', 'name', 'segments'].map((each) => `${place}${each}`));
  });

  test('is a 404 where an unknown segment is all that is wrong, and nothing is written', async () => {
    const answer = await writesNothing(service, () => send({ name: 'default', segments: [1, 99] }));
    expect(answer).toMatchObject({ status: 404, body: { details: [{ path: `${place}segments.1` }] } });
  });
});
