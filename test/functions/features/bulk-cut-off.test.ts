import { expect, test } from 'vitest';
import { withFault } from '../../harness/faults.ts';
import { enabledCounts, eventTypesOf, paths, someOf } from '../../harness/features.ts';
import type { FeatureOptions } from '../../harness/world.ts';
import { sharedWorld } from '../../specifications/specify.ts';

const { service, world } = sharedWorld();

interface Bulk {
  readonly what: string;
  readonly path: string;
  readonly of: FeatureOptions;
  /** The events of each feature in the end, of which the last one is of the operation. */
  readonly events: readonly string[];
  /** Number of features that are on then, for each one that there is. */
  readonly on?: number;
}

const on = ['feature-created', 'feature-strategy-add', 'feature-environment-enabled'];
const archived = ['feature-created', 'feature-archived'];
const operations: readonly Bulk[] = [
  { what: 'Switching features on', path: paths.on(), of: {}, events: on, on: 1 },
  {
    what: 'Switching features off',
    path: paths.off(),
    of: { on: true },
    events: [...on, 'feature-environment-disabled'],
    on: -1,
  },
  { what: 'Archiving features', path: paths.bulk('archive'), of: {}, events: archived },
  {
    what: 'Deleting features',
    path: paths.bulk('delete'),
    of: { archived: true },
    events: [...archived, 'feature-deleted'],
  },
  {
    what: 'Reviving features',
    path: paths.bulk('revive'),
    of: { archived: true },
    events: [...archived, 'feature-revived'],
  },
];

const amount = 70;

test.each(operations)('$what completes what was cut off when it is sent again, with each event once', async (bulk) => {
  const names = (await world.features(amount, bulk.of)).map(({ name }) => name);
  const send = () => service.post(bulk.path, { features: names });
  const typesOfSome = () => Promise.all(someOf(names, 12).map((name) => eventTypesOf(service, name)));
  const { development: before = 0 } = await enabledCounts(service);

  const fault = { request: 'TransactWriteItems', failure: 'server error', times: 99, after: 1 } as const;
  const [cut] = await withFault(service.table, fault, send);
  expect(cut.status).toBe(503);
  const areDone = (await typesOfSome()).map((types) => types.length === bulk.events.length);
  expect(new Set(areDone)).toEqual(new Set([true, false]));

  expect((await send()).status).toBeLessThan(300);
  for (const types of await typesOfSome()) expect(types).toEqual(bulk.events);
  expect((await enabledCounts(service)).development).toBe(before + amount * (bulk.on ?? 0));
});
