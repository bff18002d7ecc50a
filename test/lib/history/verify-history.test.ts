import { beforeAll, describe, expect, test, vi } from 'vitest';
import * as eventKeys from '../../../lib/events/keys.ts';
import * as featureKeys from '../../../lib/features/keys.ts';
import type { Checkpoint } from '../../../lib/history/checkpoint-schema.ts';
import { keepSeals } from '../../../lib/history/keep-seals.ts';
import { sealAllEvents, sealEvents } from '../../../lib/history/seal-events.ts';
import { verifyHistory } from '../../../lib/history/verify-history.ts';
import type { RawItem } from '../../../lib/store/raw-items.ts';
import { queryAll, readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { addFeatures } from '../../harness/features.ts';
import { contentOf, type Item, isEvents } from '../../harness/items.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { sealNow } from '../../harness/seal-now.ts';
import { freshService, type Service } from '../../harness/service.ts';
import {
  addEvent,
  addFalseList,
  addOldEvent,
  alterEvent,
  computeAllAgain,
  removeEvent,
  sealOnceMore,
  swapEvents,
} from '../../harness/tampering.ts';

const project = '/api/admin/projects/default';
const minuteMs = 60_000;

async function change(service: Service, name: string, ...descriptions: string[]) {
  for (const description of descriptions) {
    expect((await service.put(`${project}/features/${name}`, { description })).status).toBe(200);
  }
}

/** Makes a feature look as if an older release had written it. */
async function forgetLinks({ table }: Service, name: string) {
  const items = await queryAll<RawItem>(table, eventKeys.allFeatureEvents(name));
  const own = await readItem<RawItem>(table, featureKeys.feature(name));
  for (const { pk, sk, link: _link, ...item } of [...items, own as RawItem]) {
    await transact(table, [{ put: { pk, sk }, item }], undefined);
  }
}

async function deleteFeature(service: Service, name: string) {
  await service.call('DELETE', `${project}/features/${name}`);
  await service.call('DELETE', `/api/admin/archive/${name}`);
}

/** The items of a store with all kinds of history: sealed twice, unsealed, of an older release, deleted, recreated. */
let items: readonly Item[];
/** A checkpoint of the second seal, with all seals. */
let kept: Checkpoint;
let checkpoint: Checkpoint;

beforeAll(async () => {
  const service = await freshService();
  await addFeatures(service, ['old', 'plain', 'deleted', 'again']);
  await change(service, 'old', 'a', 'b');
  for (const name of ['old']) await forgetLinks(service, name);
  await change(service, 'old', 'c', 'd');
  await deleteFeature(service, 'deleted');
  await deleteFeature(service, 'again');
  await addFeatures(service, ['again']);
  await sealNow(service.table);
  await change(service, 'plain', 'one', 'two', 'three', 'four');
  await service.post('/api/admin/segments', { name: 'Beta', constraints: [] });
  await service.post('/api/admin/segments', { name: 'Gamma', constraints: [] });
  await change(service, 'plain', 'five');
  await sealNow(service.table);
  kept = keepSeals((await contentOf(service.table)) as RawItem[]);
  const { seals: _, ...small } = kept;
  checkpoint = small;
  await addFeatures(service, ['new']);
  await change(service, 'new', 'one', 'two', 'three');
  await change(service, 'plain', 'six', 'seven', 'eight');
  items = await contentOf(service.table);
});

const verify = (content: readonly Item[], checkpoints: readonly Checkpoint[] = []) =>
  verifyHistory(content as RawItem[], checkpoints);

const itemsOf = (name: string) => items.filter(({ pk }) => pk === `FEATURE#${name}#EVENTS`);
const serviceItems = () =>
  items.filter(({ pk, events }) => pk.startsWith('EVENTS#') && String(events).includes('segment'));
const idOf = (item: Item | undefined) => Number(item?.sk);
const at = (list: readonly Item[], index: number) => list.at(index) as Item;

describe('A verification', () => {
  test('finds nothing in a history that nobody touched, and says what it cannot know', async () => {
    const report = await verify(items);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ features: 5, seals: 2 });
    expect(report.limits.join('\n')).toContain('No checkpoint');
    expect((await verify(items, [kept])).findings).toEqual([]);
    expect((await verify(items.toReversed(), [checkpoint])).findings).toEqual([]);
  });
});

test('A change by a process whose clock is some minutes late is nothing wrong, before and after a seal lists it', async () => {
  const service = await freshService();
  await addFeatures(service, ['late']);
  await nextMillisecond();
  const end = Date.now();
  await sealAllEvents(service.table, new Date(end + 2 * minuteMs));
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    vi.setSystemTime(end - 5 * minuteMs);
    await change(service, 'late', 'New');
    await service.post('/api/admin/segments', { name: 'Late', constraints: [] });
    expect((await verify(await contentOf(service.table))).findings).toEqual([]);
    vi.setSystemTime(end + 15 * minuteMs);
    await sealEvents(service.table, new Date());
    const report = await verify(await contentOf(service.table));
    expect(report).toMatchObject({ findings: [], seals: 2 });
  } finally {
    vi.useRealTimers();
  }
});

describe('A verification names the event', () => {
  /** The places: each kind of item, in its seal or not yet in one. */
  const places: Record<string, () => Item> = {
    'sealed, in the middle of a chain': () => at(itemsOf('plain'), 2),
    'sealed, first of a chain': () => at(itemsOf('plain'), 0),
    'sealed, of an older release': () => at(itemsOf('old'), 1),
    'sealed, of no feature': () => at(serviceItems(), 0),
    'sealed, of a deleted feature': () => at(itemsOf('deleted'), 0),
    'sealed, last of a deleted feature': () => at(itemsOf('deleted'), -1),
    'sealed, of an earlier feature of the name': () => at(itemsOf('again'), 0),
    'unsealed, in the middle of a chain': () => at(itemsOf('new'), 1),
    'unsealed, last of a chain': () => at(itemsOf('new'), -1),
  };

  test.for(Object.entries(places))('that was altered: %s', async ([, place]) => {
    const { findings } = await verify(alterEvent(items, place()));
    expect(findings).toEqual([expect.objectContaining({ event: idOf(place()) })]);
    expect(findings[0]?.problem).toMatch(/altered/);
  });

  test.for(Object.entries(places))('that was removed: %s', async ([name, place]) => {
    const { findings } = await verify(removeEvent(items, place()));
    expect(findings.map(({ problem }) => problem).join('\n')).toMatch(/removed|missing/);
    if (name.startsWith('sealed')) expect(findings[0]).toMatchObject({ event: idOf(place()) });
    else expect(findings).toEqual([expect.objectContaining({ feature: 'new' })]);
  });

  test.for(Object.entries(places))('that was added with a link: after one that is %s', async ([, place]) => {
    const id = idOf(place()) + 1;
    if (items.some((item) => isEvents(item.pk) && idOf(item) === id)) return;
    const { findings } = await verify(addEvent(items, place(), id));
    expect(findings).toContainEqual(expect.objectContaining({ event: id }));
  });

  test('that was exchanged with another, and the other one', async () => {
    const pairs = [
      [at(itemsOf('plain'), 1), at(itemsOf('plain'), 3)],
      [at(serviceItems(), 0), at(serviceItems(), 1)],
      [at(itemsOf('plain'), 1), at(itemsOf('new'), 2)],
    ] as const;
    for (const [one, other] of pairs) {
      const { findings } = await verify(swapEvents(items, one, other));
      expect(findings.map(({ event }) => event).toSorted()).toEqual([idOf(one), idOf(other)].toSorted());
    }
  });

  test('that somebody altered and hid by computing all later links again, because the seals list the old ones', async () => {
    const target = at(itemsOf('plain'), 2);
    const again = computeAllAgain(alterEvent(items, target)).filter(({ pk }) => !pk.startsWith('SEAL'));
    const { findings } = await verify([...again, ...items.filter(({ pk }) => pk.startsWith('SEAL'))]);
    expect(findings).toContainEqual(expect.objectContaining({ event: idOf(target) }));
    expect(findings.filter(({ event }) => event !== undefined)).toHaveLength(1);
  });
});

describe('Somebody who computes all later links and seals again', () => {
  const acts: Record<string, () => [Item[], number]> = {
    alters: () => [alterEvent(items, at(itemsOf('plain'), 2)), idOf(itemsOf('plain')[2])],
    removes: () => [removeEvent(items, at(itemsOf('plain'), 2)), idOf(itemsOf('plain')[2])],
    'removes one of no feature': () => [removeEvent(items, at(serviceItems(), 0)), idOf(serviceItems()[0])],
    adds: () => {
      const id = idOf(itemsOf('plain')[2]) + 1;
      return [addEvent(items, at(itemsOf('plain'), 2), id), id];
    },
    'adds one of no feature': () => {
      const id = idOf(serviceItems()[0]) + 1;
      return [addEvent(items, at(serviceItems(), 0), id), id];
    },
    'alters one of an older release': () => [alterEvent(items, at(itemsOf('old'), 0)), idOf(itemsOf('old')[0])],
  };

  test.for(Object.entries(acts))('and %s an event is found by a checkpoint', async ([, act]) => {
    const [content, id] = act();
    const again = computeAllAgain(content);
    const withoutCheckpoint = await verify(again);
    expect(withoutCheckpoint.findings).toEqual([]);
    expect(withoutCheckpoint.limits.join('\n')).toContain('computed all later links and seals again');
    const { findings } = await verify(again, [checkpoint]);
    expect(findings).toEqual([expect.objectContaining({ seal: 2, problem: expect.stringContaining('rewritten') })]);
    const exact = await verify(again, [kept]);
    // Later events were altered, too, if their totals had to change.
    expect(exact.findings.find(({ event }) => event !== undefined)).toMatchObject({ event: id });
  });
});

describe('Somebody who lists an altered event once more', () => {
  const targets: Record<string, () => Item> = {
    'of no feature': () => at(serviceItems(), 0),
    'of an older release': () => at(itemsOf('old'), 1),
  };

  test.for(Object.entries(targets))('in a later seal is found: %s', async ([, place]) => {
    const content = sealOnceMore(alterEvent(items, place()), place());
    for (const order of [content, content.toReversed()]) {
      const { findings } = await verify(order, [checkpoint]);
      expect(findings).toContainEqual(expect.objectContaining({ event: idOf(place()) }));
    }
    const { findings } = await verify(content, [kept]);
    expect(findings).toContainEqual(expect.objectContaining({ event: idOf(place()) }));
  });

  test('in an item that looks like the list of a seal is found', async () => {
    const target = at(serviceItems(), 0);
    const altered = alterEvent(items, target);
    const keys = [
      { pk: 'SEAL#01', sk: 'LEAVES' },
      { pk: 'SEAL#0000000000000001', sk: 'LATER' },
      { pk: 'SEAL#0000000000000001', sk: 'LEAVES' },
    ];
    for (const key of keys) {
      const content = addFalseList(altered, target, key);
      for (const order of [content, content.toReversed()])
        expect((await verify(order, [checkpoint])).findings).not.toEqual([]);
    }
  });

  test('beside a seal with the same number is found', async () => {
    const head = items.find(({ pk }) => pk === 'SEALS') as Item;
    for (const sk of [head.sk, '1', '01', '1.0', 'one']) {
      const { findings } = await verify([{ ...head, sk }, ...items], [checkpoint]);
      expect(findings).not.toEqual([]);
    }
  });
});

test('Somebody who lets a later seal end at an earlier time does not hide an event that they have added', async () => {
  const target = at(serviceItems(), 0);
  const added = idOf(target) + 1;
  const content = sealOnceMore(addEvent(items, target, added, false), at(serviceItems(), 1), '');
  expect((await verify(content, [checkpoint])).findings).toContainEqual(expect.objectContaining({ event: added }));
});

test('Somebody who lists an event of the past in a later seal does not hide that they have added it', async () => {
  const target = at(serviceItems(), 0);
  const added = idOf(target) + 500_000;
  const withOld = addOldEvent(items, target, added, '2026-01-05T00:00:00.000Z');
  const content = sealOnceMore(withOld, at(withOld, 0));
  for (const order of [content, content.toReversed()])
    expect((await verify(order, [checkpoint])).findings).toMatchObject([{ event: added }]);
});

test.for(['at', 'upTo', 'previous', 'count', 'root', 'hash'])('A seal without its "%s" is found', async (name) => {
  const content = items.map((item) =>
    item.pk === 'SEALS' && Number(item.sk) === 2 ? { ...item, [name]: undefined } : item,
  );
  for (const known of [[], [checkpoint], [kept]])
    expect((await verify(content, known)).findings).toContainEqual(expect.objectContaining({ seal: 2 }));
});
