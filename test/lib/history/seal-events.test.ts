import { describe, expect, test } from 'vitest';
import { computeLink, hashContent } from '../../../lib/events/event-chain.ts';
import * as eventKeys from '../../../lib/events/keys.ts';
import * as featureKeys from '../../../lib/features/keys.ts';
import * as historyKeys from '../../../lib/history/keys.ts';
import {
  computeRoot,
  findPath,
  followPath,
  hashSeal,
  leavesOf,
  type Seal,
  type SealLeaves,
} from '../../../lib/history/seal.ts';
import { leafOf, sealAllEvents, sealEvents } from '../../../lib/history/seal-events.ts';
import { toSeal } from '../../../lib/history/seal-items.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import type { RawItem } from '../../../lib/store/raw-items.ts';
import { queryAll, readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { addFeatures } from '../../harness/features.ts';
import { contentOf } from '../../harness/items.ts';
import { freshService, type Service } from '../../harness/service.ts';

const project = '/api/admin/projects/default';
const minuteMs = 60_000;
const later = (minutes: number) => new Date(Date.now() + minutes * minuteMs);

async function change(service: Service, name: string, description: string) {
  const { status } = await service.put(`${project}/features/${name}`, { description });
  expect(status).toBe(200);
}

const eventItems = (service: Service, name: string) =>
  queryAll<RawItem>(service.table, eventKeys.allFeatureEvents(name));
const ownItem = (service: Service, name: string) => readItem<RawItem>(service.table, featureKeys.feature(name));

/** Returns the links that the items of events must have, one after the other. */
function linksOf(items: readonly RawItem[], before?: string): string[] {
  let last = before;
  return items.map((item) => {
    last = computeLink(last, hashContent(item, item));
    return last;
  });
}

describe('The events of a feature', () => {
  test('form a chain, whose last link its own item has', async () => {
    const service = await freshService();
    await addFeatures(service, ['chained']);
    await change(service, 'chained', 'One');
    await Promise.all(['Two', 'Three', 'Four'].map((text) => change(service, 'chained', text)));
    const items = await eventItems(service, 'chained');
    expect(items.map(({ link }) => link)).toEqual(linksOf(items));
    expect((await ownItem(service, 'chained'))?.link).toBe(items.at(-1)?.link);
  });

  test('continue the chain of a deleted feature of the name', async () => {
    const service = await freshService();
    await addFeatures(service, ['again']);
    await service.call('DELETE', `${project}/features/again`);
    await service.call('DELETE', '/api/admin/archive/again');
    await addFeatures(service, ['again']);
    const items = await eventItems(service, 'again');
    expect(items.map(({ link }) => link)).toEqual(linksOf(items));
    expect((await ownItem(service, 'again'))?.link).toBe(items.at(-1)?.link);
  });

  test('begin a chain with the first change by this release', async () => {
    const service = await freshService();
    await addFeatures(service, ['old']);
    await forgetLinks(service, 'old');
    await change(service, 'old', 'New');
    const [first, ...next] = await eventItems(service, 'old');
    expect(first?.link).toBeUndefined();
    expect(next.map(({ link }) => link)).toEqual(linksOf(next));
  });
});

/** Makes a feature look as if an older release had written it. */
async function forgetLinks(service: Service, name: string) {
  for (const item of [...(await eventItems(service, name)), (await ownItem(service, name)) as RawItem]) {
    const { pk, sk, link: _link, ...rest } = item;
    await transact(service.table, [{ put: { pk, sk }, item: rest }], undefined);
  }
}

/** Reads all seals with their leaves. */
async function sealsOf(service: Service): Promise<(Seal & SealLeaves)[]> {
  const seals = (await queryAll<Key & Seal>(service.table, historyKeys.seals())).map(toSeal);
  return Promise.all(
    seals.map(async (seal) => ({
      ...seal,
      ...((await readItem<SealLeaves>(service.table, historyKeys.sealLeaves(seal.number))) as SealLeaves),
    })),
  );
}

/** Returns the leaves of all items of events in the store. */
async function allLeaves(service: Service) {
  return (await contentOf(service.table))
    .flatMap((item) => ('log' in item ? [leafOf(item, item as RawItem)] : []))
    .toSorted();
}

describe('Seals', () => {
  test('list each item of events once, and contain the hash of the seal before', async () => {
    const service = await freshService();
    await addFeatures(service, ['one', 'two']);
    await forgetLinks(service, 'two');
    await sealEvents(service.table, later(3));
    await change(service, 'one', 'Other');
    await service.post('/api/admin/segments', { name: 'Beta', constraints: [] });
    await sealEvents(service.table, later(14));
    await sealEvents(service.table, later(25));
    const [first, second, ...others] = await sealsOf(service);
    expect(others).toEqual([]);
    expect([...leavesOf(first as SealLeaves), ...leavesOf(second as SealLeaves)].toSorted()).toEqual(
      await allLeaves(service),
    );
    expect(leavesOf(second as SealLeaves)).toHaveLength(2);
    expect(first).toMatchObject({ number: 1, previous: '', hash: hashSeal(first as Seal) });
    expect(second).toMatchObject({ number: 2, previous: first?.hash, hash: hashSeal(second as Seal) });
    expect(second?.root).toBe(computeRoot(leavesOf(second as SealLeaves)));
  });

  test('leave out what may still be under way', async () => {
    const service = await freshService();
    await addFeatures(service, ['young']);
    await sealEvents(service.table, later(1));
    const [item] = await eventItems(service, 'young');
    expect((await sealsOf(service)).flatMap(leavesOf)).not.toContain(leafOf(item as RawItem, item as RawItem));
  });

  test('are not made while the clock is hours behind the last one', async () => {
    const service = await freshService();
    await sealEvents(service.table, later(300));
    await addFeatures(service, ['next']);
    expect(await sealEvents(service.table, later(3))).toBe('done');
    expect(await sealsOf(service)).toHaveLength(1);
  });

  test('are made again at once after a clock that was ahead is set right', async () => {
    const service = await freshService();
    await sealEvents(service.table, later(50));
    await addFeatures(service, ['next']);
    expect(await sealEvents(service.table, later(3))).toBe('done');
    const leaves = (await sealsOf(service)).flatMap(leavesOf);
    expect(leaves.toSorted()).toEqual(await allLeaves(service));
  });

  test('list an item once if two processes seal at the same time', async () => {
    const service = await freshService();
    await addFeatures(service, ['a', 'b', 'c']);
    await Promise.all([1, 2, 3].map(() => sealAllEvents(service.table, later(3))));
    const leaves = (await sealsOf(service)).flatMap(leavesOf);
    expect(leaves.toSorted()).toEqual(await allLeaves(service));
  });

  test('list imported events, which are older than the last seal', async () => {
    const service = await freshService();
    await addFeatures(service, ['new']);
    await sealEvents(service.table, later(3));
    const [item] = await eventItems(service, 'new');
    const { link: _link, pk: _pk, sk: _sk, ...rest } = item as RawItem;
    const put = eventKeys.serviceEvents('2024-03-01T00:00:00.000Z', 900_000);
    await transact(
      service.table,
      [{ put, item: { ...rest, at: '2024-03-01T00:00:00.000Z#0000000000900000' } }],
      undefined,
    );
    await sealEvents(service.table, later(14));
    expect(await sealsOf(service)).toHaveLength(1);
    await sealAllEvents(service.table, later(14));
    expect(leavesOf((await sealsOf(service))[1] as SealLeaves)).toEqual([expect.stringMatching(/^900000:/)]);
  });
});

describe('The tree of a seal', () => {
  test.for([1, 2, 3, 4, 5, 7, 8, 9, 33])('leads from each of %i leaves to its root', (count) => {
    const leaves = Array.from({ length: count }, (_, index) => `${index}:hash`);
    const root = computeRoot(leaves);
    for (const [index, leaf] of leaves.entries()) {
      expect(followPath(leaf, findPath(leaves, index))).toBe(root);
      expect(followPath(`${leaf}!`, findPath(leaves, index))).not.toBe(root);
    }
  });

  test('has another root for other, fewer or exchanged leaves', () => {
    const roots = [['a', 'b', 'c'], ['a', 'b'], ['b', 'a', 'c'], ['a', 'b', 'c', 'c'], ['a', 'b', 'd'], []].map(
      computeRoot,
    );
    expect(new Set(roots).size).toBe(roots.length);
  });
});
