import { describe, expect, test } from 'vitest';
import { featureEventsOf, readFeature, someOf } from '../../harness/features.ts';
import {
  changesNothing,
  countTransactions,
  cutOffAfter,
  enabledCount,
  type FileData,
  imported,
  importSeed,
  sendImport,
  writesNothing,
} from '../../harness/imports.ts';
import type { Service } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { sharedService } from '../../specifications/specify.ts';

const small = (prefix: string): FileData => ({
  features: [{ name: `${prefix}child` }, { name: `${prefix}parent` }],
  featureStrategies: [{ name: 'default', featureName: `${prefix}child` }],
  featureEnvironments: [{ name: `${prefix}child`, enabled: true }],
  featureTags: [{ featureName: `${prefix}child`, tagType: `${prefix}type`, tagValue: 'tagged' }],
  tagTypes: [{ name: `${prefix}type` }],
  contextFields: [{ name: `${prefix}field` }],
  dependencies: [{ feature: `${prefix}child`, dependencies: [{ feature: `${prefix}parent` }] }],
});

/** Features that are on, each with a strategy and a tag: some 28 make a transaction, so that a look at some will do. */
const many = (prefix: string, amount: number): FileData => {
  const names = Array.from({ length: amount }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);
  return {
    features: names.map((name) => ({ name })),
    featureStrategies: names.map((featureName) => ({ name: 'default', featureName })),
    featureEnvironments: names.map((name) => ({ name, enabled: true })),
    featureTags: names.map((featureName) => ({ featureName, tagType: `${prefix}type`, tagValue: 'tagged' })),
    tagTypes: [{ name: `${prefix}type` }],
  };
};

/** Children come first, so that the order of the file is the wrong one throughout: the last tenth are parents. */
const generations = (prefix: string, amount: number): FileData => {
  const file = many(prefix, amount);
  const names = namesIn(file);
  const parents = names.slice(-Math.ceil(amount / 10));
  const parentsOf = (index: number) =>
    index >= amount - parents.length
      ? []
      : [index, index + 1].map((each) => ({ feature: parents[each % parents.length] }));
  return {
    ...file,
    features: names.map((name) => ({ name, description: 'generated' })),
    dependencies: names.map((feature, index) => ({ feature, dependencies: parentsOf(index) })),
  };
};

/** The events of a new feature that is on, with a strategy and a tag. */
const eventsOfNew = ['feature-created', 'feature-tagged', 'feature-strategy-add', 'feature-environment-enabled'];

const namesIn = ({ features = [] }: FileData) => features.map(({ name }) => name as string);
const typesOf = async (service: Service, name: string) =>
  (await featureEventsOf(service, name)).map(({ type }) => type);

const service = sharedService(importSeed);

describe('Three equal imports at once', () => {
  const thrice = (data: FileData) => Promise.all(Array.from({ length: 3 }, () => sendImport(service, data)));
  const importedEvents = async () =>
    (await serviceEvents(service.table)).filter(({ type }) => type === 'features-imported').length;

  test('all succeed and create everything once, if the file takes one transaction', async () => {
    const data = small('three-');
    const before = await importedEvents();
    expect(await thrice(data)).toMatchObject(Array(3).fill({ status: 200 }));
    expect(await typesOf(service, 'three-child')).toEqual([...eventsOfNew, 'feature-dependency-added']);
    expect(await typesOf(service, 'three-parent')).toEqual(['feature-created']);
    expect(await importedEvents()).toBe(before + 1);
    expect(await enabledCount(service)).toBe(1);
    expect(await writesNothing(service, () => sendImport(service, data))).toMatchObject({ status: 200 });
  });

  test('all succeed and create everything once, if the file takes several transactions', async () => {
    const data = many('sixty-', 60);
    const [enabled, before] = [await enabledCount(service), await importedEvents()];
    expect(await thrice(data)).toMatchObject(Array(3).fill({ status: 200 }));
    expect(await enabledCount(service)).toBe(enabled + 60);
    expect(await importedEvents()).toBeGreaterThan(before);
    for (const name of someOf(namesIn(data), 12)) {
      expect(await typesOf(service, name)).toEqual(eventsOfNew);
    }
    const { status } = await writesNothing(service, () => sendImport(service, data));
    expect(status).toBe(200);
  });

  test('that overwrite features end in the state of the file, with one event for each change', async () => {
    const data = many('again-', 40);
    await imported(service, data);
    const changed = { ...data, featureStrategies: [], features: namesIn(data).map((name) => ({ name, stale: true })) };
    expect(await thrice(changed)).toMatchObject(Array(3).fill({ status: 200 }));
    for (const name of someOf(namesIn(data), 12)) {
      expect((await typesOf(service, name)).slice(4)).toEqual([
        'feature-metadata-updated',
        'feature-stale-on',
        'feature-strategy-remove',
        'feature-strategy-add',
      ]);
    }
  });
});

describe('Different imports at once', () => {
  test('of the same features end in the state of one of them, feature by feature', async () => {
    const version = (title: string): FileData => ({
      features: [{ name: 'either', description: title }],
      featureStrategies: [{ name: 'default', featureName: 'either', title }],
      featureEnvironments: [{ name: 'either', enabled: true, variants: [{ name: title, weight: 1000 }] }],
      featureTags: [{ featureName: 'either', tagValue: title }],
    });
    const titles = ['v1', 'v2', 'v3', 'v4'];
    const answers = await Promise.all(titles.map((title) => sendImport(service, version(title))));
    expect(answers).toMatchObject(Array(titles.length).fill({ status: 200 }));
    const { description, tags, environments } = await readFeature(service, 'either');
    expect(titles).toContain(description);
    expect(tags).toEqual([{ type: 'simple', value: description }]);
    expect(environments[0]).toMatchObject({ strategies: [{ title: description }], variants: [{ name: description }] });
    const events = await typesOf(service, 'either');
    expect(events.filter((type) => type === 'feature-created')).toHaveLength(1);
    expect(events.filter((type) => type === 'feature-metadata-updated')).toHaveLength(titles.length - 1);
  });

  test('and other changes of the same feature lose nothing', async () => {
    const features = [{ name: 'busy' }];
    await imported(service, { features });
    const answers = await Promise.all([
      sendImport(service, { features: [{ name: 'busy', description: 'imported' }] }, { environment: 'production' }),
      service.put('/api/admin/projects/default/features/busy', { stale: true }),
      service.post('/api/admin/features/busy/tags', { value: 'tagged' }),
      sendImport(service, { features, featureEnvironments: [{ name: 'busy', enabled: true }] }),
    ]);
    for (const { status } of answers) expect(status).toBeLessThan(300);
    expect(await readFeature(service, 'busy')).toMatchObject({
      description: 'imported',
      stale: true,
      tags: [{ value: 'tagged' }],
      enabled: true,
    });
  });

  test('with the same new tag type, field and tag all succeed', async () => {
    const data = (name: string): FileData => ({
      features: [{ name }],
      featureTags: [{ featureName: name, tagType: 'contended', tagValue: 'contended' }],
      tagTypes: [{ name: 'contended' }],
      contextFields: [{ name: 'contended' }],
    });
    const answers = await Promise.all(['x1', 'x2', 'x3', 'x4'].map((name) => sendImport(service, data(name))));
    expect(answers).toMatchObject(Array(4).fill({ status: 200 }));
    const types = (await serviceEvents(service.table))
      .filter(({ data }) => [data?.name, data?.value].includes('contended'))
      .map(({ type }) => type);
    expect(types.toSorted()).toEqual(['context-field-created', 'tag-created', 'tag-type-created']);
  });
});

describe('An import', () => {
  test('that is interrupted before its only transaction has written nothing', async () => {
    const data = small('none-');
    const cutOff = () => cutOffAfter(service.table, 0, () => sendImport(service, data));
    expect(await changesNothing(service, cutOff)).toMatchObject({ status: 500, body: { name: 'InternalError' } });
  });

  // First what all features share, then the parents, then the children.
  const cuts = [1, 2, 3];

  test('that is interrupted leaves only whole features with their parents, and completes when it is repeated', async () => {
    const amount = 40;
    const some = (data: FileData) => someOf(namesIn(data), 5);
    const wanted = generations('whole-', amount);
    const transactions = await countTransactions(service.table, () => imported(service, wanted));
    expect(transactions).toBeGreaterThan(Math.max(...cuts));
    const reference = await Promise.all(some(wanted).map((name) => stateOf(name, 'whole-')));
    for (const cut of cuts) {
      const prefix = `cut-${cut}-`;
      const data = generations(prefix, amount);
      const enabled = await enabledCount(service);
      const answer = await cutOffAfter(service.table, cut, () => sendImport(service, data));
      expect(answer).toMatchObject({ status: 500 });
      const there = await present(prefix);
      expect(there.size).toBeLessThan(amount);
      expect(await enabledCount(service)).toBe(enabled + there.size);
      for (const name of someOf([...there], 5)) {
        const { dependencies } = (await readFeature(service, name)) as { dependencies: { feature: string }[] };
        for (const { feature } of dependencies) expect(there.has(feature), `${feature} before ${name}`).toBe(true);
        expect(await typesOf(service, name)).toEqual([
          ...eventsOfNew,
          ...dependencies.map(() => 'feature-dependency-added'),
        ]);
      }
      await imported(service, data);
      expect(await enabledCount(service)).toBe(enabled + amount);
      expect(await Promise.all(some(data).map((name) => stateOf(name, prefix)))).toEqual(reference);
      expect(await writesNothing(service, () => sendImport(service, data))).toMatchObject({ status: 200 });
    }
  });

  test('that overwrites features and is interrupted leaves each feature old or new as a whole, and completes', async () => {
    const old = many('over-', 60);
    await imported(service, old);
    const names = namesIn(old);
    const data: FileData = {
      ...old,
      features: names.map((name) => ({ name, description: 'new' })),
      featureStrategies: names.map((featureName) => ({ name: 'default', featureName, title: 'new' })),
      featureEnvironments: names.map((name) => ({ name, enabled: false })),
      featureTags: names.map((featureName) => ({ featureName, tagValue: 'new' })),
    };
    const isNew = async (name: string) => {
      const { description, tags, enabled, environments } = await readFeature(service, name);
      const parts = [
        description === 'new',
        tags[0].value === 'new',
        !enabled,
        environments[0].strategies[0].title === 'new',
      ];
      expect(new Set(parts).size, name).toBe(1);
      return parts[0];
    };
    const enabled = await enabledCount(service);
    expect(await cutOffAfter(service.table, 2, () => sendImport(service, data))).toMatchObject({ status: 500 });
    const done = enabled - (await enabledCount(service));
    const some = someOf(names, 10);
    const areNew = await Promise.all(some.map(isNew));
    expect([new Set(areNew).size, done > 0, done < 60]).toEqual([2, true, true]);
    await imported(service, data);
    expect(await Promise.all(some.map(isNew))).toEqual(some.map(() => true));
    expect(await enabledCount(service)).toBe(enabled - 60);
    for (const name of some) {
      expect((await typesOf(service, name)).slice(4)).toEqual([
        'feature-metadata-updated',
        'feature-untagged',
        'feature-tagged',
        'feature-strategy-remove',
        'feature-strategy-add',
        'feature-environment-disabled',
      ]);
    }
  });

  /** A feature with its events, without what differs between two imports: ids, times and the prefix of names. */
  async function stateOf(name: string, prefix: string) {
    const text = JSON.stringify([await readFeature(service, name), await featureEventsOf(service, name)]);
    return JSON.parse(
      text
        .replaceAll(/"id":("[^"]*"|\d+)/g, '"id":0')
        .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"a time"')
        .replaceAll(`"${prefix}`, '"'),
    );
  }

  /** The names that are there of those that begin so. */
  async function present(prefix: string): Promise<ReadonlySet<string>> {
    const { body } = await service.get('/api/admin/projects/default/features');
    const names: string[] = body.features.map(({ name }: { name: string }) => name);
    return new Set(names.filter((name) => name.startsWith(prefix)));
  }
});
