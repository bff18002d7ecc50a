import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shelfOf } from '../../../lib/delivery/snapshot/shelf.ts';
import { snapshotOf } from '../../../lib/delivery/snapshot/snapshot.ts';
import type { Event } from '../../../lib/events/event-schema.ts';
import { layout } from '../../../lib/features/items/feature-items.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { lastMigration, type Migration, migrate } from '../../../lib/migrations/migrate.ts';
import { listProjectIds } from '../../../lib/projects/projects.ts';
import type { Request } from '../../../lib/request.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import * as keys from '../../../lib/store/keys.ts';
import * as partitions from '../../../lib/store/partitions.ts';
import { queryAll, readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { enabledCounts, eventsOf, paths, readFeature } from '../../harness/features.ts';
import {
  firstMigrationItems,
  firstReleaseItems,
  putItems,
  type StoredItem,
  withoutMany,
} from '../../harness/first-release.ts';
import { changesBetween, snapshot } from '../../harness/imports.ts';
import { type Service, serviceOn } from '../../harness/service.ts';
import { freshTable } from '../../harness/table.ts';
import { problemsOf } from '../../prove/crash/consistency.ts';

const items = withoutMany(firstReleaseItems());
const features = items.filter(({ sk }) => sk === 'FEATURE');
const nameOf = ({ name }: StoredItem) => String(name);

let table: Request;
let service: Service;

/** A table that holds some items and nothing else. */
async function tableOf(content: readonly StoredItem[]): Promise<Request> {
  const made = await freshTable();
  await putItems(made, content);
  return made;
}

async function openFirstRelease(): Promise<void> {
  table = await tableOf(items);
  service = await serviceOn(table);
}

const stored = (key: Key) => readItem<Record<string, unknown>>(table, key);
const stateOfStore = () => stored(keys.migrations());

/** What a caller sees of all features, but for their versions. */
async function seen(): Promise<unknown[]> {
  const answers = features.map(async (item) => [
    await readFeature(service, nameOf(item), String(item.project)),
    await eventsOf(service, nameOf(item)),
  ]);
  return Promise.all(answers);
}

/** What of the store does not agree; the snapshot leaves out the counter of event ids. */
async function disagreements(): Promise<string[]> {
  const counter = (await stored(keys.counter('event'))) as StoredItem;
  return problemsOf([...((await snapshot(table)) as StoredItem[]), counter]);
}

/** Ends the process, as it were, after so many requests to the store. */
async function cutOffAfter(count: number, during: () => Promise<unknown>): Promise<boolean> {
  let left = count;
  const name = 'cut off';
  table.store.client.middlewareStack.add(
    (next) => async (args) => {
      left -= 1;
      if (left < 0) throw new Error('The process has ended here.');
      return next(args);
    },
    { step: 'initialize', name, priority: 'high' },
  );
  try {
    await during();
    return true;
  } catch {
    return false;
  } finally {
    table.store.client.middlewareStack.remove(name);
  }
}

describe('A store of release 0.1 that was migrated', () => {
  let before: { readonly seen: unknown[]; readonly counts: unknown };

  beforeAll(async () => {
    await openFirstRelease();
    before = { seen: await seen(), counts: await enabledCounts(service) };
    await migrate(table);
  });

  test('has the present layout, with everything that it said', async () => {
    expect(await seen()).toEqual(before.seen);
    expect(await enabledCounts(service)).toEqual(before.counts);
    expect(await stateOfStore()).toMatchObject({ last: lastMigration });
    for (const item of features) expect(await stored({ pk: item.pk, sk: item.sk })).toMatchObject({ layout });
    expect(await disagreements()).toEqual([]);
  });

  test('lists its projects, their features, and who uses a segment or a strategy type', async () => {
    for (const project of ['default', 'shop']) {
      const listed = await queryAll<Key>(table, partitions.listedFeatures(project));
      const names = features.filter((item) => item.project === project).map(nameOf);
      expect(listed.map(({ sk }) => sk)).toEqual(names.toSorted().map((name) => `FEATURE#${name}`));
    }
    expect(await listProjectIds(table)).toEqual(['default', 'shop']);
    const users = await queryAll<Key>(table, partitions.referrers('segment', '1'));
    expect(users.map(({ sk }) => sk)).toEqual(['BY#full#development']);
    const typeUsers = await queryAll<Key>(table, partitions.referrers('strategy type', 'storeHours'));
    expect(typeUsers.map(({ sk }) => sk)).toEqual(['BY#shop-feature#staging']);
  });

  test('lists all of its events, of features and of the service', async () => {
    const { body } = await service.get('/api/admin/search/events?limit=1000');
    const held = items.filter(({ pk, sk }) => pk.includes('EVENTS') && /^\d+$/.test(sk));
    const ids = held.flatMap(({ events }) => (JSON.parse(String(events)) as Event[]).map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(5);
    const listed = body.events.map(({ id }: Event) => id);
    expect(listed).toEqual(expect.arrayContaining(ids));
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('is left alone the second time', async () => {
    const once = await snapshot(table);
    await migrate(table);
    expect(changesBetween(once, await snapshot(table))).toEqual([]);
  });

  test('is safe from an older process that has read a feature before and writes it now', async () => {
    const { version } = items.find(({ pk, sk }) => pk === 'FEATURE#checkout' && sk === 'FEATURE') as StoredItem;
    const old = { put: keys.feature('checkout'), item: { name: 'checkout' }, when: { version: Number(version) } };
    await expect(transact(table, [old], undefined)).rejects.toThrow();
  });

  test('keeps what only a newer release knows when a feature is changed', async () => {
    const own = (await stored(keys.feature('full'))) as StoredItem;
    const state = (await stored(keys.featureEnvironment('full', 'development'))) as StoredItem;
    const other = { pk: own.pk, sk: 'NEWER#thing' };
    await putItems(table, [
      { ...own, newer: 'kept' },
      { ...state, newer: 'kept' },
      { ...other, value: 1 },
    ]);
    expect(await service.post(paths.strategies('full'), { name: 'default' })).toMatchObject({ status: 200 });
    expect(await service.post(paths.off(), { features: ['full'] })).toMatchObject({ status: 200 });
    expect(await stored(keys.feature('full'))).toMatchObject({ newer: 'kept' });
    expect(await stored(keys.featureEnvironment('full', 'development'))).toMatchObject({ newer: 'kept' });
    expect(await stored(other)).toEqual({ ...other, value: 1 });
  });

  test('can be edited in every way, also what would be refused today', async () => {
    for (const item of features) {
      const [name, project] = [nameOf(item), String(item.project)];
      const place = paths.feature(name, project);
      expect(await service.put(place, { archived: false, stale: true, description: 'New' })).toMatchObject({
        status: 200,
      });
      expect(await service.post(paths.tags(name), { value: 'after' })).toMatchObject({ status: 201 });
      expect(await service.post(paths.strategies(name, 'development', project), { name: 'default' })).toMatchObject({
        status: 200,
      });
      expect(await service.post(paths.off('development', project), { features: [name] })).toMatchObject({
        status: 200,
      });
      expect(await service.put(place, { archived: true })).toMatchObject({ status: 200 });
    }
    expect(await disagreements()).toEqual([]);
  });
});

describe('A store of release 0.1', () => {
  beforeEach(openFirstRelease);

  test('agrees in all its parts afterwards, however many features it has', async () => {
    table = await tableOf(firstReleaseItems());
    await migrate(table);
    expect(await disagreements()).toEqual([]);
  });

  test('is migrated however many projects it has', async () => {
    const project = items.find(({ pk, sk }) => pk === keys.project('shop').pk && sk === keys.project('shop').sk);
    const ids = Array.from({ length: 40 }, (_, index) => `shop-${index}`);
    await putItems(
      table,
      ids.map((id) => ({ ...(project as StoredItem), ...keys.project(id) })),
    );
    await migrate(table);
    expect(await listProjectIds(table)).toEqual(expect.arrayContaining(ids));
  });

  test('is complete when the migration was cut off again and again', async () => {
    const whole = await tableOf(items);
    await migrate(whole);
    const expected = contentOf(await snapshot(whole));
    // Each run begins where the one before was cut off, and gets a little further.
    table = await tableOf(items);
    let cuts = 0;
    while (!(await cutOffAfter(3 * cuts, () => migrate(table)))) cuts += 1;
    expect(cuts).toBeGreaterThan(10);
    expect(contentOf(await snapshot(table))).toEqual(expected);
    expect(await disagreements()).toEqual([]);
  });

  test('ends in one state when several processes migrate it', async () => {
    await Promise.all([migrate(table), migrate(table), migrate(table)]);
    await migrate(table);
    expect(await disagreements()).toEqual([]);
  });

  test('can be edited before it is migrated, each feature then being so', async () => {
    const answer = await service.post(paths.tags('full'), { value: 'edited' });
    expect(answer).toMatchObject({ status: 201 });
    expect(await service.post(paths.strategies('full'), { name: 'default' })).toMatchObject({ status: 200 });
    expect(await service.post(paths.off(), { features: ['parent', 'many-1', 'many-2'] })).toMatchObject({
      status: 200,
    });
    expect(await service.put(paths.feature('retired'), { archived: false })).toMatchObject({ status: 200 });
    const full = await readFeature(service, 'full');
    expect(full.environments.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([true, true, false]);
    expect(await stored(keys.listedFeature('default', 'full'))).toBeDefined();
    await migrate(table);
    expect(await disagreements()).toEqual([]);
  });

  test('takes a feature without a lifecycle for one that has just begun', async () => {
    const { lifecycle: _lifecycle, ...item } = features.find(({ name }) => name === 'plain') as StoredItem;
    await putItems(table, [item]);
    expect((await readFeature(service, 'plain')).lifecycle).toEqual({
      stage: 'initial',
      enteredStageAt: item.createdAt,
    });
    await migrate(table);
    expect((await readFeature(service, 'plain')).lifecycle).toEqual({
      stage: 'initial',
      enteredStageAt: item.createdAt,
    });
  });
});

describe('A store that has had its first migration', () => {
  const olderItems = withoutMany(firstMigrationItems());
  const own = olderItems.filter(({ sk }) => sk === 'FEATURE');

  beforeEach(async () => {
    table = await tableOf(olderItems);
    service = await serviceOn(table);
  });

  test('gets shelves with its features, and nothing else changes for callers', async () => {
    const before = await seen();
    await migrate(table);
    expect(await seen()).toEqual(before);
    expect(await disagreements()).toEqual([]);
    expect(await stateOfStore()).toMatchObject({ last: lastMigration });
    for (const project of ['default', 'shop']) {
      const shelf = await shelfOf(table, project);
      expect([...shelf.features.keys()]).toEqual(
        own
          .filter((item) => item.project === project)
          .map(nameOf)
          .toSorted(),
      );
    }
    const { features: delivered } = await snapshotOf(table, { projects: ['*'], environment: 'development' });
    const live = own.filter(({ archivedAt }) => archivedAt === null).map(nameOf);
    expect(delivered.map(({ name }) => name)).toEqual(live.toSorted());
    expect(delivered.find(({ name }) => name === 'plain')).toMatchObject({
      description: 'd'.repeat(700),
      strategies: [{ name: 'default', segments: [1] }],
    });
  });

  test('is served to SDKs only when all of its features are there', async () => {
    await service.post(paths.tags('full'), { value: 'edited' });
    const scope = { projects: ['default'], environment: 'development' };
    await expect(snapshotOf(table, scope)).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    await expect(shelfOf(table, 'default')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    await migrate(table);
    const { features: delivered } = await snapshotOf(table, scope);
    expect(delivered.length).toBeGreaterThan(5);
  });
});

describe('A store', () => {
  beforeEach(openFirstRelease);

  const counting = (number: number, calls: number[]): Migration => ({
    number,
    async *run() {
      calls.push(number);
      yield undefined;
    },
  });

  test('that is fresh needs no migration', async () => {
    const fresh = await freshTable();
    await prepareStore(fresh, { adminTokens: [] });
    expect(await readItem(fresh, keys.migrations())).toMatchObject({ last: lastMigration });
  });

  test('receives each step that it lacks once, in the order of their numbers', async () => {
    const calls: number[] = [];
    const steps = [counting(8, calls), counting(7, calls)];
    await migrate(table, steps);
    await migrate(table, steps);
    await migrate(table, [...steps, counting(9, calls)]);
    expect(calls).toEqual([7, 8, 9]);
  });

  test('of a newer release is left alone', async () => {
    await putItems(table, [{ ...keys.migrations(), last: 1_000, version: 3 }]);
    const before = await snapshot(table);
    await migrate(table);
    expect(changesBetween(before, await snapshot(table))).toEqual([]);
  });

  test('goes on where a step was cut off', async () => {
    const parts: (string | undefined)[] = [];
    const step: Migration = {
      number: 5,
      async *run(_table, from) {
        parts.push(from?.sk);
        if (from === undefined) yield { pk: 'HALF', sk: 'way' };
        if (parts.length === 1) throw new Error('The process has ended here.');
        yield undefined;
      },
    };
    await expect(migrate(table, [step])).rejects.toThrow('ended');
    await migrate(table, [step]);
    expect(parts).toEqual([undefined, 'way']);
  });
});

/** What is the same in each run: not the marks, which are random, nor how often the state of the migration was saved. */
function contentOf(all: readonly Key[]): string[] {
  return all
    .filter(({ pk, sk }) => !pk.startsWith('STORE') && !sk.startsWith('MARK#'))
    .map((item) => Object.entries(item).filter(([name]) => name !== 'mark'))
    .map((item) => JSON.stringify(Object.fromEntries(item.toSorted(([a], [b]) => (a < b ? -1 : 1)))));
}
