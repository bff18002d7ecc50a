import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { costOf } from '../../bench/cost/measure.ts';
import {
  addFeatures,
  addFeaturesOn,
  featureEventsOf,
  importFileParts,
  paths,
  readFeature,
  readState,
} from '../../harness/features.ts';
import { enabledCount, type FileData, imported, importSeed, sendImport, writesNothing } from '../../harness/imports.ts';
import { changesBetween, snapshot } from '../../harness/items.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { sharedService } from '../../specifications/specify.ts';

describe('A large body', () => {
  const service = sharedService(importSeed);
  beforeEach(() => {
    vi.stubEnv('IMPORT_BODY_LIMIT_BYTES', '4718592');
  });

  describe('A file of 200 features in one body', () => {
    const names = Array.from({ length: 200 }, (_, index) => `large-${index}`);
    const data: FileData = {
      features: names.map((name) => ({ name, description: `The feature ${name}`, type: 'experiment' })),
      featureStrategies: names.flatMap((featureName) => [
        { name: 'default', featureName, disabled: true },
        { name: 'flexibleRollout', featureName, parameters: { rollout: '50' } },
      ]),
      featureEnvironments: names.map((name) => ({ name, enabled: true })),
      featureTags: names.map((featureName) => ({ featureName, tagValue: 'large' })),
      dependencies: names.slice(1).map((feature) => ({ feature, dependencies: [{ feature: 'large-0' }] })),
    };

    test('is imported whole, and writes nothing the second time', async () => {
      const enabled = await enabledCount(service);
      await imported(service, data);
      expect(await enabledCount(service)).toBe(enabled + 200);
      expect((await readFeature(service, 'large-0')).children).toHaveLength(199);
      for (const name of ['large-0', 'large-100', 'large-199']) {
        expect(await readFeature(service, name)).toMatchObject({ type: 'experiment', tags: [{ value: 'large' }] });
        expect((await readState(service, name)).strategies).toMatchObject([
          { name: 'default' },
          { parameters: { rollout: '50', groupId: name } },
        ]);
      }
      expect(await writesNothing(service, () => sendImport(service, data))).toMatchObject({ status: 200 });
    });

    test('costs a few requests for each hundred items, not one for each', async () => {
      const changed = names.map((name) => ({ name, description: 'Changed' }));
      const requests = await recordStoreRequests(service.table, () =>
        imported(service, { ...data, features: changed }),
      );
      expect(requests.length).toBeLessThan(30);
      expect(await readFeature(service, 'large-123')).toMatchObject({ description: 'Changed' });
    });
  });

  describe('More than the store can hold is a 400 that says so and writes nothing', () => {
    /** Imports it together with good features, enough for several transactions. */
    const refused = async (data: FileData) => {
      const good = Array.from({ length: 60 }, () => ({ name: randomUUID() }));
      const all = { ...data, features: [...good, ...(data.features ?? [])] };
      const answer = await writesNothing(service, () => sendImport(service, all));
      expect([answer.status, answer.body?.name]).toEqual([400, 'ValidationError']);
      return answer.body.message as string;
    };
    const description = 'x'.repeat(450_000);
    test.each<[string, FileData]>([
      ['a description', { features: [{ name: 'huge', description }] }],
      ['a tag type', { tagTypes: [{ name: 'huge', description }] }],
      ['a context field', { contextFields: [{ name: 'huge', description }] }],
      [
        'strategies together',
        {
          features: [{ name: 'huge' }],
          featureStrategies: Array.from({ length: 30 }, () => ({
            ...{ name: 'default', featureName: 'huge' },
            parameters: { text: 'x'.repeat(20_000) },
          })),
        },
      ],
    ])('%s of too many bytes', async (_what, data) => {
      expect(await refused(data)).toMatch(/huge.*bytes/);
    });

    test('a feature with more parents than one transaction can contain', async () => {
      const parents = Array.from({ length: 120 }, (_, index) => ({ name: `parent-${index}` }));
      await imported(service, { features: parents });
      const message = await refused({
        features: [{ name: 'adopted' }],
        dependencies: [{ feature: 'adopted', dependencies: parents.map(({ name }) => ({ feature: name })) }],
      });
      expect(message).toMatch(/writes|parents|dependencies/);
    });
  });
});

const service = sharedService(importSeed);

const names = (prefix: string, amount: number) => Array.from({ length: amount }, (_, index) => `${prefix}-${index}`);

/** A strategy that takes about so many bytes. */
function strategyOf(bytes: number) {
  const values = Array.from({ length: 240 }, (_, index) => String(index).padStart(100, 'v'));
  const constraint = { contextName: 'userId', operator: 'IN', values };
  return { name: 'flexibleRollout', constraints: Array.from({ length: Math.floor(bytes / 25_000) }, () => constraint) };
}

const defaultStrategy = '/api/admin/projects/other/environments/development/default-strategy';

describe('A request of some kilobytes', () => {
  test('that requests hundreds of copies of a large default strategy is refused, and does not delay a concurrent read', async () => {
    expect(await service.post(defaultStrategy, strategyOf(90_000))).toMatchObject({ status: 200 });
    const features = names('bomb', 500);
    const data = {
      features: features.map((name) => ({ name })),
      featureEnvironments: features.map((name) => ({ name, enabled: true })),
    };
    const before = await snapshot(service.table);
    const answered: string[] = [];
    // It is asked first, so that it is answered first unless the other one keeps the process from it.
    const read = service.get('/api/admin/environments').finally(() => answered.push('read'));
    const { status, body } = await sendImport(service, data, { project: 'other' }).finally(() => answered.push('bomb'));
    await read;
    expect(answered).toEqual(['read', 'bomb']);
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    expect(body.message).toMatch(/500 features would move more than 20971520 bytes.*at most \d\d+\.$/);
    expect(changesBetween(before, await snapshot(service.table))).toEqual([]);
  });

  test('switches features off for the same number of units, whatever the size of their strategies', async () => {
    const [small, large] = [names('small', 30), names('large', 30)];
    await addFeaturesOn(service, small);
    await addFeaturesOn(service, large);
    for (const name of large.slice(0, 2)) {
      for (let count = 0; count < 4; count += 1) {
        expect(await service.post(paths.strategies(name), strategyOf(75_000))).toMatchObject({ status: 200 });
      }
    }
    const costOfOff = async (features: string[]) => {
      // From here on the token is known for some seconds.
      await service.get('/api/admin/missing');
      return costOf(service.table, () => service.post(paths.off(), { features }));
    };
    const [light, heavy] = [await costOfOff(small), await costOfOff(large)];
    expect(heavy.writeUnits).toBe(light.writeUnits);
    expect(heavy.readUnits).toBe(light.readUnits);
    // The feature itself, on its own and in its project, and its event, at two units each in a transaction, the event once
    // more in the log of all events, and the sums.
    expect(light.writeUnits).toBeLessThanOrEqual(30 * 7 + 5);
  });

  test('that names thousands of unknown features costs what the first hundred do', async () => {
    const cost = await costOf(service.table, async () => {
      expect(await service.post(paths.off(), { features: names('unknown', 4_900) })).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining('unknown-0') },
      });
    });
    expect(cost.readUnits + cost.writeUnits).toBeLessThan(150);
    const answer = await service.post(paths.off(), { features: names('u', 5_001) });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'features' }] } });
  });

  test('that removes hundreds of tags costs as much as writing them once', async () => {
    await addFeatures(service, ['tagged']);
    const tags = Array.from({ length: 290 }, (_, index) => ({ featureName: 'tagged', tagValue: `tag-${index}` }));
    await importFileParts(service, { features: [{ name: 'tagged' }], featureTags: tags });
    const cost = await costOf(service.table, () =>
      importFileParts(service, { features: [{ name: 'tagged' }], featureTags: [] }),
    );
    expect(cost.writeUnits).toBeLessThan(300);
    const last = (await featureEventsOf(service, 'tagged')).at(-1);
    expect(last).toMatchObject({ type: 'feature-untagged', tags: [] });
  });
});

describe('A feature', () => {
  test('has at most 300 tags, and can still be archived with the longest description', async () => {
    await addFeatures(service, ['full']);
    const long = (index: number) => String(index).padEnd(50, '\u4e16');
    const tags = Array.from({ length: 300 }, (_, index) => ({ featureName: 'full', tagValue: long(index) }));
    await importFileParts(service, { features: [{ name: 'full' }], featureTags: tags });
    expect(await service.post(paths.tags('full'), { value: long(0).slice(0, 50) })).toMatchObject({ status: 201 });
    const answer = await service.post(paths.tags('full'), { value: 'one more' });
    expect(answer).toMatchObject({ status: 400, body: { message: 'A feature has at most 300 tags.' } });
    expect(await service.put(paths.feature('full'), { description: 'x'.repeat(102_000) })).toMatchObject({
      status: 200,
    });
    expect(await service.put(paths.feature('full'), { archived: true })).toMatchObject({ status: 200 });
    expect(await service.put(paths.feature('full'), { archived: false })).toMatchObject({ status: 200 });
    expect(await service.put(paths.feature('full'), { description: null })).toMatchObject({ status: 200 });
  });

  test('cannot get a description with which it could no longer be archived', async () => {
    await addFeatures(service, ['large-words']);
    vi.stubEnv('BODY_LIMIT_BYTES', '1000000');
    const tooLarge = await service.put(paths.feature('large-words'), { description: 'x'.repeat(210_000) });
    expect(tooLarge).toMatchObject({ status: 400, body: { details: [{ path: 'description' }] } });
    const most = { description: 'x'.repeat(200_000) };
    expect(await service.put(paths.feature('large-words'), most)).toMatchObject({ status: 200 });
    expect(await service.put(paths.feature('large-words'), { archived: true })).toMatchObject({ status: 200 });
  });
});
