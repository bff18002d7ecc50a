import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readFeature, readState } from '../../harness/features.ts';
import { enabledCount, type FileData, imported, importSeed, sendImport, writesNothing } from '../../harness/imports.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService(importSeed);
beforeEach(() => {
  vi.stubEnv('IMPORT_BODY_LIMIT_BYTES', '4718592');
});
afterEach(() => {
  vi.unstubAllEnvs();
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
    const requests = await recordStoreRequests(service.table, () => imported(service, { ...data, features: changed }));
    expect(requests.length).toBeLessThan(30);
    expect(await readFeature(service, 'large-123')).toMatchObject({ description: 'Changed' });
  });
});

describe('What the store could not hold is a 400 that says so and writes nothing', () => {
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

  test('a feature whose change is more than one transaction holds, by its number of parents', async () => {
    const parents = Array.from({ length: 120 }, (_, index) => ({ name: `parent-${index}` }));
    await imported(service, { features: parents });
    const message = await refused({
      features: [{ name: 'adopted' }],
      dependencies: [{ feature: 'adopted', dependencies: parents.map(({ name }) => ({ feature: name })) }],
    });
    expect(message).toMatch(/writes|parents|dependencies/);
  });
});
