import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { withSuspension } from '../../../../lib/change-requests/schedules/suspension.ts';
import { evaluateFor } from '../../../../lib/delivery/playground.ts';
import { loadSnapshot } from '../../../../lib/delivery/snapshot/load-snapshot.ts';
import type { Snapshot } from '../../../../lib/delivery/snapshot/snapshot.ts';
import { systemUser } from '../../../../lib/events/actor.ts';
import { disableFeatures } from '../../../../lib/features/environments/switch-features.ts';
import * as featureKeys from '../../../../lib/features/keys.ts';
import { loadAllReadModels, loadReadModel } from '../../../../lib/features/read-model/read-model.ts';
import { readSeed } from '../../../../lib/imports/seed/seed-data.ts';
import * as projectKeys from '../../../../lib/projects/keys.ts';
import type { Request } from '../../../../lib/request.ts';
import { segments } from '../../../../lib/segments/segments.ts';
import { queryAll } from '../../../../lib/store/read.ts';
import { LostRace } from '../../../../lib/store/transactions/retry.ts';
import { transact } from '../../../../lib/store/transactions/transact.ts';
import { costOf } from '../../../bench/cost/measure.ts';
import { anotherProcess } from '../../../harness/another-process.ts';
import { withFault } from '../../../harness/faults.ts';
import { importFileParts, paths } from '../../../harness/features.ts';
import { interceptAttempts, interceptRequests } from '../../../harness/intercept.ts';
import { stoppedClock } from '../../../harness/stopped-clock.ts';
import { beforeRequests } from '../../../harness/store-requests.ts';
import { underStoreRules } from '../../../harness/store-rules.ts';
import { worldForEach } from '../../../specifications/specify.ts';

const seed = readSeed({ projects: [{ id: 'shop', environments: ['development', 'production'] }] });

const { service, world } = worldForEach(seed);

const everything = { projects: ['*'], environment: 'development' };

/** Returns the snapshot of a process that has to ask the store for all of it. */
const present = (scope = everything) => loadSnapshot(anotherProcess(service.table), scope);

const namesIn = ({ features }: Snapshot) => features.map(({ name }) => name);
const named = (snapshot: Snapshot, name: string) => snapshot.features.find((feature) => feature.name === name);

/** The snapshot once the check has ended for which a caller waits a second at most. */
async function checked(scope: typeof everything): Promise<Snapshot> {
  for (;;) {
    const snapshot = await loadSnapshot(service.table, scope);
    if (!snapshot.stale) return snapshot;
  }
}

/** The next snapshot that is another one. */
async function nextAfter(before: Snapshot, scope = everything): Promise<Snapshot> {
  for (;;) {
    const snapshot = await loadSnapshot(service.table, scope);
    if (snapshot !== before) return snapshot;
    await sleep(20);
  }
}

describe('A snapshot', () => {
  test('contains the live features of its projects as an SDK gets them, by name', async () => {
    const { name } = await world.feature({ on: true, strategies: [{ name: 'default' }], variants: [] });
    await world.feature({ archived: true });
    await world.feature({ project: 'shop' });
    const all = await present();
    expect(namesIn(all)).toEqual(['feature-1', 'feature-3']);
    expect(named(all, name)).toEqual({
      name,
      type: 'release',
      enabled: true,
      project: 'default',
      stale: false,
      strategies: [{ name: 'default', constraints: [], parameters: {}, variants: [] }],
      variants: [],
      description: null,
      impressionData: false,
    });
    expect(namesIn(await present({ projects: ['shop'], environment: 'development' }))).toEqual(['feature-3']);
    expect(named(await present({ projects: ['*'], environment: 'production' }), name)).toMatchObject({
      enabled: false,
      strategies: [],
    });
    expect(namesIn(await present({ projects: ['unknown'], environment: 'development' }))).toEqual([]);
  });

  test('has long descriptions and strategies of any size', async () => {
    const values = Array.from({ length: 240 }, (_, index) => String(index).padStart(100, 'v'));
    const constraints = Array.from({ length: 3 }, () => ({ contextName: 'userId', operator: 'IN', values }));
    const { name } = await world.feature({ description: 'd'.repeat(5_000) });
    for (let count = 0; count < 5; count += 1) {
      expect(await service.post(paths.strategies(name), { name: 'default', constraints })).toMatchObject({
        status: 200,
      });
    }
    const feature = named(await present(), name);
    expect(feature?.description).toHaveLength(5_000);
    expect(feature?.strategies).toHaveLength(5);
    expect(feature?.strategies[4]?.constraints[2]?.values).toEqual(values);
  });

  test('has the segments that are in use, and moves with their changes', async () => {
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['NZ'] }];
    const { id, name } = await world.segment({ constraints });
    const feature = await world.feature({ strategies: [{ name: 'default' }] });
    const before = await loadSnapshot(service.table, everything);
    expect(before.segments.size).toBe(0);
    await world.strategy(feature, { name: 'default', segments: [id] });
    const used = await nextAfter(before);
    expect([...used.segments.values()]).toEqual([{ id, name, constraints }]);
    await world.ask('PUT', `/api/admin/segments/${id}`, { name: 'renamed', constraints: [] });
    const renamed = await nextAfter(used);
    expect([...renamed.segments.values()]).toEqual([{ id, name: 'renamed', constraints: [] }]);
    expect(renamed.revision).toBeGreaterThan(used.revision);
  });

  test('is served with a strategy whose segment is not there, and without the segment', async () => {
    const { id } = await world.segment();
    const feature = await world.feature();
    await world.strategy(feature, { name: 'default', segments: [id] });
    await world.feature();
    await transact(service.table, [{ remove: segments.keyOf(id) }], undefined);
    const snapshot = await present();
    expect(namesIn(snapshot)).toHaveLength(2);
    expect(named(snapshot, feature.name)?.strategies).toMatchObject([{ segments: [id] }]);
    expect(snapshot.segments.size).toBe(0);
  });

  test('is served with such a strategy though other projects change all the time', async () => {
    const { id } = await world.segment();
    const feature = await world.feature();
    await world.strategy(feature, { name: 'default', segments: [id] });
    const other = await world.feature({ project: 'shop' });
    await transact(service.table, [{ remove: segments.keyOf(id) }], undefined);
    const process = anotherProcess(service.table);
    let changes = 0;
    beforeRequests(process, async (input) => {
      if (!JSON.stringify(input).includes(`"${segments.keyOf(id).sk}"`)) return;
      changes += 1;
      await world.ask('PUT', paths.feature(other.name, 'shop'), { description: String(changes) });
    });
    expect(namesIn(await loadSnapshot(process, everything))).toEqual([feature.name, other.name]);
    const request = { environment: 'development', projects: '*' as const, context: { appName: 'web' } };
    expect((await evaluateFor(process, request)).features).toHaveLength(2);
    expect(changes).toBe(2);
  });

  test('has no strategy whose segment was deleted while it was read', async () => {
    const { id } = await world.segment();
    const feature = await world.feature();
    const strategyId = await world.strategy(feature, { name: 'default', segments: [id] });
    const process = anotherProcess(service.table);
    let deletions = 0;
    beforeRequests(process, async (input) => {
      if (deletions > 0 || !JSON.stringify(input).includes(segments.keyOf(id).sk)) return;
      deletions += 1;
      await world.ask('DELETE', `${paths.strategies(feature.name)}/${strategyId}`);
      await world.ask('DELETE', `/api/admin/segments/${id}`);
    });
    expect(named(await loadSnapshot(process, everything), feature.name)?.strategies).toEqual([]);
    expect(deletions).toBe(1);
  });

  test.each(['the first', 'a later'])(
    'never has a segment of a later moment than its features, at %s read',
    async (which) => {
      const { id, name } = await world.segment({ constraints: [] });
      const feature = await world.feature({ on: true });
      await world.strategy(feature, { name: 'default', segments: [id] });
      const process = anotherProcess(service.table);
      using clock = stoppedClock();
      if (which === 'a later') {
        await loadSnapshot(process, everything);
        await world.feature();
        clock.pass(1_300);
      }
      let changes = 0;
      const constraints = [{ contextName: 'x', operator: 'IN', values: ['1'] }];
      beforeRequests(process, async (input) => {
        if (changes > 0 || !JSON.stringify(input).includes(`"${segments.keyOf(id).sk}"`)) return;
        changes += 1;
        await world.ask('POST', paths.off(), { features: [feature.name] });
        await world.ask('PUT', `/api/admin/segments/${id}`, { name, constraints });
      });
      const snapshot = await loadSnapshot(process, everything);
      const isOn = named(snapshot, feature.name)?.enabled;
      expect([isOn, snapshot.segments.get(id)?.constraints.length]).toEqual([false, 1]);
      expect(changes).toBe(1);
    },
  );

  test('is checked again after the process was frozen, and its own clock with it', async () => {
    const { name } = await world.feature({ on: true });
    const process = anotherProcess(service.table);
    using _frozen = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    await loadSnapshot(process, everything);
    await world.ask('POST', paths.off(), { features: [name] });
    using _later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect(named(await loadSnapshot(process, everything), name)?.enabled).toBe(false);
  });

  test('is the same object until something changes, and its revision rises when it does', async () => {
    const { place } = await world.feature({ on: true });
    const first = await loadSnapshot(service.table, everything);
    expect(await loadSnapshot(service.table, everything)).toBe(first);
    await world.ask('POST', paths.off(), { features: [place.featureName] });
    const second = await nextAfter(first);
    expect(named(second, place.featureName)?.enabled).toBe(false);
    expect(second.revision).toBeGreaterThan(first.revision);
  });

  test('of each environment has the revision that another process finds, however many are checked at the same time', async () => {
    const { name } = await world.feature({ on: true });
    const scopes = ['development', 'production'].flatMap((environment) =>
      [['*'], ['default']].map((projects) => ({ projects, environment })),
    );
    using clock = stoppedClock();
    await Promise.all(scopes.map(checked));
    for (let count = 0; count < 6; count += 1) {
      await world.ask('PUT', paths.feature(name), { description: `change ${count}` });
      // The second time, nothing has changed.
      for (const _ of ['first', 'second']) {
        clock.pass(1_300);
        const revisions = (await Promise.all(scopes.map(checked))).map(({ revision }) => revision);
        const found = (await Promise.all(scopes.map(present))).map(({ revision }) => revision);
        expect(revisions).toEqual(found);
      }
    }
  });

  test.each([
    { projects: ['default'], others: 0 },
    // The list of projects, and the marks of the other one.
    { projects: ['*'], others: 2 },
  ])('of $projects asks for nothing within a second, then for marks, then for what has changed', async (scoped) => {
    const { projects, others } = scoped;
    const features = await world.features(30, { on: true, strategies: [{ name: 'default' }] });
    const scope = { projects, environment: 'development' };
    using clock = stoppedClock();
    await loadSnapshot(service.table, scope);
    const polls = await costOf(service.table, async () => {
      for (let count = 0; count < 20; count += 1) await loadSnapshot(service.table, scope);
    });
    expect(polls.requests).toBe(0);
    clock.pass(1_300);
    const check = await costOf(service.table, () => checked(scope));
    // The marks, then whether segments have changed.
    expect([check.requests, check.waits]).toEqual([2 + others, 2]);
    await world.ask('POST', paths.off(), { features: [features[0]?.name] });
    clock.pass(1_300);
    const changed = await costOf(service.table, () => checked(scope));
    // The marks, then those of all features, then in one request what has changed and whether segments have.
    expect([changed.requests, changed.waits]).toEqual([3 + others, 3]);
  });

  test('is off if all strategies are disabled, which an SDK would evaluate as on', async () => {
    const { name } = await world.feature({ on: true, strategies: [{ name: 'default' }] });
    const before = named(await present(), name);
    expect(before?.enabled).toBe(true);
    await importFileParts(service, {
      features: [{ name }],
      featureStrategies: [{ featureName: name, name: 'default', disabled: true }],
      featureEnvironments: [{ name: 'development', featureName: name, enabled: false }],
    });
    expect(named(await present(), name)).toMatchObject({ enabled: false, strategies: [] });
  });
});

describe('A snapshot while the store does not answer', () => {
  test('is the last one, marked as stale, and the present one again afterwards', async () => {
    const { name } = await world.feature();
    const known = await loadSnapshot(service.table, everything);
    await sleep(1_300);
    const times = Number.POSITIVE_INFINITY;
    const fault = { request: 'Query', failure: 'lost answer', times } as const;
    await withFault(service.table, fault, async () => {
      const stale = await loadSnapshot(service.table, everything);
      expect(stale).toEqual({ ...known, stale: true });
      expect(namesIn(stale)).toEqual([name]);
      await expect(present()).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    });
    let again = await loadSnapshot(service.table, everything);
    while (again.stale) {
      await sleep(50);
      again = await loadSnapshot(service.table, everything);
    }
    expect(again).toEqual(known);
  });

  test('keeps nobody waiting', async () => {
    await world.feature();
    await loadSnapshot(service.table, everything);
    await sleep(1_300);
    const fault = { request: 'Query', failure: 'silence', times: Number.POSITIVE_INFINITY } as const;
    // An answer that waited for the store would not come while this lasts.
    await withFault(service.table, fault, async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => loadSnapshot(service.table, everything)));
      expect(answers.map(({ stale }) => stale)).toEqual([true, true, true, true, true]);
      expect((await loadSnapshot(service.table, everything)).stale).toBe(true);
    });
  });

  test('is not given to a caller who has seen a later state', async () => {
    await world.feature();
    const { revision } = await loadSnapshot(service.table, everything);
    const fault = { request: 'Query', failure: 'lost answer', times: Number.POSITIVE_INFINITY } as const;
    await withFault(service.table, fault, async () => {
      expect((await loadSnapshot(service.table, everything, revision)).revision).toBe(revision);
      const behind = loadSnapshot(service.table, everything, revision + 1);
      await expect(behind).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    });
  });
});

test('A feature on its way from one project to another is in one of them for a process that reads both for the first time, one before and one after', async () => {
  const { name } = await world.feature({ on: true });
  const readModel = projectKeys.ledger('shop').pk;
  const before: Record<string, unknown>[] = await queryAll(service.table, { pk: readModel });
  await world.ask('POST', `/api/admin/projects/default/features/${name}/changeProject`, { newProjectId: 'shop' });
  let older = 0;
  const spoil = (output: { Items?: { pk: string; sk: string }[] }) => {
    const [first] = output.Items ?? [];
    if (first?.pk !== readModel || older >= 3) return output;
    older += 1;
    const prefix = first.sk.slice(0, 5);
    return { ...output, Items: before.filter(({ sk }) => String(sk).startsWith(prefix)) };
  };
  const fault = { request: 'Query', failure: { spoil }, times: Number.POSITIVE_INFINITY } as const;
  await withFault(service.table, fault, async () => {
    expect((await present()).features).toMatchObject([{ name, project: 'shop', enabled: true }]);
  });
  expect(older).toBe(3);
});

describe('A feature that goes to a project which is new since the projects were listed', () => {
  /** Lets something happen after the list of projects was read, and before the features are. */
  function afterList(table: Request, happens: () => Promise<unknown>): void {
    const list = JSON.stringify(projectKeys.projects().pk);
    const interception = interceptRequests(table, async ({ input }, next) => {
      const isList = JSON.stringify(input).includes(list);
      if (isList) interception[Symbol.dispose]();
      const answer = await next();
      if (isList) await happens();
      return answer;
    });
  }

  const moveToNew = async (name: string) => {
    const newProjectId = await world.project({ environments: ['development', 'production'] });
    await world.ask('POST', `/api/admin/projects/default/features/${name}/changeProject`, { newProjectId });
  };

  test('is in the snapshot of all projects', async () => {
    const { name } = await world.feature({ on: true });
    const process = anotherProcess(service.table);
    afterList(service.table, () => moveToNew(name));
    expect(namesIn(await loadSnapshot(process, everything))).toEqual([name]);
  });

  test('is noticed by a decision about all features, which reads them again', async () => {
    const { name } = await world.feature();
    afterList(service.table, () => moveToNew(name));
    await expect(loadAllReadModels(service.table)).rejects.toThrow(LostRace);
    const readModels = await loadAllReadModels(service.table);
    expect(readModels.flatMap(({ features }) => [...features.keys()])).toEqual([name]);
  });
});

test('If no read of the read model is consistent, lists show the last consistent state, and decisions wait for the next one', async () => {
  const { name } = await world.feature();
  const known = await loadReadModel(service.table, 'default');
  await world.feature();
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 100;
    return now;
  });
  const spoil = (output: { Items?: { sum?: number }[] }) => ({
    ...output,
    Items: output.Items?.map((item) => (item.sum === undefined ? item : { ...item, sum: item.sum + 1 })),
  });
  const fault = { request: 'Query', failure: { spoil }, times: Number.POSITIVE_INFINITY } as const;
  await withFault(service.table, fault, async () => {
    expect(await loadReadModel(service.table, 'default')).toBe(known);
    expect([...known.features.keys()]).toEqual([name]);
    const strict = loadReadModel(service.table, 'default', { isStrict: true });
    await expect(strict).rejects.toMatchObject({ name: 'ServiceUnavailable' });
  });
  vi.restoreAllMocks();
  expect((await loadReadModel(service.table, 'default', { isStrict: true })).features.size).toBe(2);
});

describe('Where the store shows the items of a transaction one by one', () => {
  const names = Array.from({ length: 8 }, (_, index) => `together-${index}`);

  /** One transaction that says in all features which one it was. */
  const importRound = (round: number) =>
    importFileParts(service, {
      features: names.map((name) => ({ name, description: `Round ${round}` })),
      featureStrategies: names.map((featureName) => ({
        featureName,
        name: 'flexibleRollout',
        parameters: { rollout: String(round % 100) },
      })),
      featureEnvironments: names.map((featureName) => ({ name: 'development', featureName, enabled: round % 2 === 0 })),
    });

  /** Lets answers to queries be under way for longer than a transaction, so that many see a part of one. */
  function slowQueries(table: Request): Disposable {
    return interceptAttempts(table, async ({ operation }, next) => {
      const answer = await next();
      if (operation === 'Query') await sleep(15);
      return answer;
    });
  }

  test('every snapshot contains whole transactions, and its revision never falls', async () => {
    await importRound(0);
    using _rules = underStoreRules(service.table, { inFlightMs: 2 });
    using _slow = slowQueries(service.table);
    const torn: unknown[] = [];
    let [isOver, reads, revision, tornItems] = [false, 0, 0, 0];
    /** Tells whether the items alone, without their marks, would be taken for a snapshot that never existed. */
    const seesHalf = async () => {
      const items = await queryAll<{ description: string }>(service.table, featureKeys.listedFeatures('default'));
      return new Set(items.map(({ description }) => description)).size > 1;
    };
    const look = (snapshot: Snapshot) => {
      const rounds = snapshot.features.map(({ description, enabled, strategies }) => [
        Number(description?.slice('Round '.length)) % 100,
        Number(strategies[0]?.parameters.rollout),
        enabled,
      ]);
      const [first] = rounds;
      const isWhole = rounds.every((round) => JSON.stringify(round) === JSON.stringify(first) && round[0] === round[1]);
      if (!isWhole || rounds.length !== names.length) torn.push(rounds);
    };
    const readAnew = async () => {
      while (!isOver) {
        look(await present());
        reads += 1;
      }
    };
    const readOn = async () => {
      const table = anotherProcess(service.table);
      while (!isOver) {
        const snapshot = await loadSnapshot(table, everything);
        expect(snapshot.revision).toBeGreaterThanOrEqual(revision);
        revision = snapshot.revision;
        look(snapshot);
        if (tornItems > 0) await sleep(1);
        else if (await seesHalf()) tornItems += 1;
      }
    };
    const write = async () => {
      for (let round = 1; round <= 2_000 && (reads < 40 || tornItems === 0); round += 1) {
        if (round % 10 === 0) {
          await disableFeatures(
            withSuspension(service.table),
            systemUser,
            { projectId: 'default', environment: 'development' },
            names,
          );
        }
        await importRound(round);
      }
      isOver = true;
    };
    await Promise.all([write(), readAnew(), readAnew(), readOn()]);
    expect(torn).toEqual([]);
    expect(reads).toBeGreaterThanOrEqual(40);
    expect(tornItems).toBeGreaterThan(0);
  });
});
