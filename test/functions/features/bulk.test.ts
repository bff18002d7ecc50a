import { describe, expect, test } from 'vitest';
import { withFault } from '../../harness/faults.ts';
import { enabledCounts, eventTypesOf, paths, someOf } from '../../harness/features.ts';
import type { FeatureOptions } from '../../harness/world.ts';
import { sharedWorld } from '../../specifications/specify.ts';

const { service, world } = sharedWorld();

interface Bulk {
  readonly what: string;
  readonly path: string;
  readonly body?: object;
  /** Features that it changes. */
  readonly of: FeatureOptions;
  /** Events of each feature before, and those that the operation adds. */
  readonly before: readonly string[];
  readonly adds: readonly string[];
  /** Change of the number of features that are on in development, for each one. */
  readonly counted: -1 | 0 | 1;
}

const created = 'feature-created';
const archived = 'feature-archived';
const switchedOn = ['feature-strategy-add', 'feature-environment-enabled'];
const off = 'feature-environment-disabled';
const operations: readonly Bulk[] = [
  { what: 'Switching on', path: paths.on(), of: {}, before: [created], adds: switchedOn, counted: 1 },
  {
    what: 'Switching off',
    path: paths.off(),
    of: { on: true },
    before: [created, ...switchedOn],
    adds: [off],
    counted: -1,
  },
  {
    what: 'Marking as stale',
    path: paths.bulk('stale'),
    body: { stale: true },
    of: {},
    before: [created],
    adds: ['feature-stale-on'],
    counted: 0,
  },
  {
    what: 'Archiving',
    path: paths.bulk('archive'),
    of: { on: true },
    before: [created, ...switchedOn],
    adds: [archived],
    counted: 0,
  },
  {
    what: 'Reviving',
    path: paths.bulk('revive'),
    of: { on: true, archived: true },
    before: [created, archived, ...switchedOn],
    adds: ['feature-revived', off],
    counted: -1,
  },
  {
    what: 'Deleting',
    path: paths.bulk('delete'),
    of: { archived: true },
    before: [created, archived],
    adds: ['feature-deleted'],
    counted: 0,
  },
];

describe.each(operations)('$what of many features', ({ path, body, of, before, adds, counted }) => {
  const after = [...before, ...adds];
  const send = (features: readonly string[]) => service.post(path, { features, ...body });
  const made = async (amount: number) => await world.featureNames(amount, of);
  const count = async () => Number((await enabledCounts(service)).development);

  test('changes each once, however often it is named, and leaves those that are so already', async () => {
    const [first = '', second = '', already = ''] = await made(3);
    const countedBefore = await count();
    await send([already]);
    const { status, text } = await send([first, already, second, first]);
    expect([status < 300, text]).toEqual([true, '']);
    for (const name of [first, second, already]) expect(await eventTypesOf(service, name)).toEqual(after);
    expect(await count()).toBe(countedBefore + 3 * counted);
  });

  test('completes what was cut off when it is sent again', async () => {
    const names = await made(70);
    const countedBefore = await count();
    const typesOfSome = () => Promise.all(someOf(names, 12).map((name) => eventTypesOf(service, name)));
    const fault = { request: 'TransactWriteItems', failure: 'server error', times: 99, after: 1 } as const;
    const [cut] = await withFault(service.table, fault, () => send(names));
    expect(cut.status).toBe(503);
    expect(new Set((await typesOfSome()).map(String))).toEqual(new Set([before, after].map(String)));

    expect((await send(names)).status).toBeLessThan(300);
    for (const types of await typesOfSome()) expect(types).toEqual(after);
    expect(await count()).toBe(countedBefore + names.length * counted);
  });
});
