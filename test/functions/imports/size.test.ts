import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { readFeature, readState } from '../../harness/features.ts';
import { enabledCount, type FileData, imported, importSeed, sendImport, writesNothing } from '../../harness/imports.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { importPath } from '../../specifications/files.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService(importSeed);
afterEach(() => {
  delete process.env.IMPORT_BODY_LIMIT_BYTES;
  delete process.env.BODY_LIMIT_BYTES;
});

const raiseLimit = () => {
  process.env.IMPORT_BODY_LIMIT_BYTES = '4718592';
};

const empty = { project: 'default', environment: 'development' };
/** The text of a file with exactly so many bytes. */
function textOf(bytes: number, name = 'sized'): string {
  const text = (description: string) =>
    JSON.stringify({ ...empty, data: { features: [{ name, description }], featureStrategies: [], tagTypes: [] } });
  return text('d'.repeat(bytes - text('').length));
}

describe('The limit of a body', () => {
  test('is raised for imports by IMPORT_BODY_LIMIT_BYTES, which outweighs BODY_LIMIT_BYTES', async () => {
    process.env.BODY_LIMIT_BYTES = '2000';
    expect((await service.post(importPath, textOf(2001))).status).toBe(413);
    process.env.IMPORT_BODY_LIMIT_BYTES = '3000';
    expect((await service.post(importPath, textOf(3000))).status).toBe(200);
    expect((await service.post(importPath, textOf(3001))).status).toBe(413);
    const projects = { id: 'p'.repeat(2000) };
    expect((await service.post('/api/admin/projects/validate', projects)).status).toBe(413);
  });
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
    raiseLimit();
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
    raiseLimit();
    const changed = names.map((name) => ({ name, description: 'Changed' }));
    const requests = await recordStoreRequests(service.table, () => imported(service, { ...data, features: changed }));
    expect(requests.length).toBeLessThan(30);
    expect(await readFeature(service, 'large-123')).toMatchObject({ description: 'Changed' });
  });
});

describe('What the store could not hold is a 400 that says so and writes nothing', () => {
  /** Imports it together with good features, enough for several transactions. */
  const refused = async (data: FileData) => {
    raiseLimit();
    const good = Array.from({ length: 60 }, () => ({ name: randomUUID() }));
    const all = { ...data, features: [...good, ...(data.features ?? [])] };
    const answer = await writesNothing(service, () => sendImport(service, all));
    expect([answer.status, answer.body?.name]).toEqual([400, 'ValidationError']);
    return answer.body.message as string;
  };
  const parameters = (bytes: number) => ({ text: 'x'.repeat(bytes) });
  const strategies = (featureName: string, amount: number, bytes: number) =>
    Array.from({ length: amount }, () => ({ name: 'default', featureName, parameters: parameters(bytes) }));

  test('one strategy that is too large', async () => {
    const message = await refused({
      features: [{ name: 'huge' }],
      featureStrategies: strategies('huge', 1, 450_000),
    });
    expect(message).toMatch(/huge.*bytes/);
  });

  test('a description that is too large', async () => {
    expect(await refused({ features: [{ name: 'huge', description: 'x'.repeat(450_000) }] })).toMatch(/bytes/);
  });

  test('a tag type or a context field that is too large', async () => {
    const description = 'x'.repeat(450_000);
    expect(await refused({ tagTypes: [{ name: 'huge', description }] })).toMatch(/huge.*bytes/);
    expect(await refused({ contextFields: [{ name: 'huge', description }] })).toMatch(/huge.*bytes/);
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

  test('a feature with more than 300 tags', async () => {
    const featureTags = Array.from({ length: 301 }, (_, index) => ({ featureName: 'tagged', tagValue: `t-${index}` }));
    expect(await refused({ features: [{ name: 'tagged' }], featureTags })).toMatch(/tags/);
  });
});

test('A feature with as many tags as it may have, long ones, and strategies besides is imported whole', async () => {
  const long = (index: number) => String(index).padEnd(50, '\u4e16');
  await imported(service, {
    features: [{ name: 'tagged-full' }],
    featureTags: Array.from({ length: 300 }, (_, index) => ({ featureName: 'tagged-full', tagValue: long(index) })),
    featureStrategies: Array.from({ length: 30 }, () => ({ name: 'default', featureName: 'tagged-full' })),
  });
  const { body } = await service.get('/api/admin/events/tagged-full?limit=1');
  expect(body.totalEvents).toBe(331);
});
