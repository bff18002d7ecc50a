import { beforeAll, describe, expect, test } from 'vitest';
import { newTokenOf, paths, readFeature } from '../../harness/features.ts';
import { type FileData, imported, importSeed, sendImport, writesNothing } from '../../harness/imports.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService(importSeed);
beforeAll(async () => {
  await imported(service, { features: [{ name: 'elsewhere' }] }, { project: 'other' });
  const features = ['parent', 'child', 'gone', 'free'].map((name) => ({ name }));
  const featureEnvironments = [{ name: 'parent', enabled: true, variants: [{ name: 'blue', weight: 1000 }] }];
  await imported(service, { features, featureEnvironments, ...on('child', 'parent') });
  expect((await service.put(paths.feature('gone'), { archived: true })).status).toBe(200);
});

function on(feature: string, parent: string, variants: string[] = []) {
  return { dependencies: [{ feature, dependencies: [{ feature: parent, variants }] }] };
}

async function problemsOf(data: FileData) {
  const { status, body } = await writesNothing(service, () => sendImport(service, data));
  expect([status, body.name]).toEqual([400, 'ValidationError']);
  return body.details.map(({ message, path }: { message: string; path: string }) => `${path}: ${message}`);
}

const place = 'data.dependencies.0.dependencies.0';

describe('A parent', () => {
  test.each<[string, FileData, string]>([
    ['in another project', { features: [{ name: 'a' }], ...on('a', 'elsewhere') }, 'is in another project'],
    ['that is archived', { features: [{ name: 'a' }], ...on('a', 'gone') }, '"gone" is archived'],
    ['that has a parent', { features: [{ name: 'a' }], ...on('a', 'child') }, '"child" depends on a feature itself'],
    [
      'that the file archives',
      { features: [{ name: 'a' }, { name: 'b', archived: true }], ...on('a', 'b') },
      '"b" is archived',
    ],
  ])('%s is refused', async (_what, data, message) => {
    expect(await problemsOf(data)).toEqual([expect.stringMatching(`^${place}: .*${message}`)]);
  });

  test('that is named twice with different settings is refused, and with the same settings is one', async () => {
    const features = [{ name: 'twice' }, { name: 'parent' }];
    const dependencies = [...on('twice', 'parent').dependencies, ...on('twice', 'parent', ['blue']).dependencies];
    expect(await problemsOf({ features, dependencies })).toEqual([
      'data.dependencies: The feature "twice" names its parent "parent" more than once, with different settings.',
    ]);
    const same = [...on('twice', 'parent').dependencies, ...on('twice', 'parent').dependencies];
    await imported(service, { features, dependencies: same });
    expect((await readFeature(service, 'twice')).dependencies).toHaveLength(1);
  });

  test('need not have the variants that its child names', async () => {
    await imported(service, { features: [{ name: 'b-1' }], ...on('b-1', 'parent', ['red']) });
    const [dependency] = (await readFeature(service, 'b-1')).dependencies;
    expect(dependency).toEqual({ feature: 'parent', enabled: true, variants: ['red'] });
  });

  test('is changed by its child, so that a client who has seen it before gets 412', async () => {
    await imported(service, { features: [{ name: 'p' }] });
    const { headers } = await service.put(paths.feature('p'));
    await imported(service, { features: [{ name: 'p-child' }], ...on('p-child', 'p') });
    const stale = await service.put(
      paths.feature('p'),
      { stale: true },
      { headers: { 'if-match': headers.etag ?? '' } },
    );
    expect(stale.status).toBe(412);
  });
});

test("Two features that become each other's parents at the same time do so one way at the most", async () => {
  for (let round = 0; round < 2; round += 1) {
    const [one, two] = [`ring-${round}-a`, `ring-${round}-b`];
    await imported(service, { features: [{ name: one }, { name: two }] });
    const answers = await Promise.all([
      sendImport(service, { features: [{ name: one }], ...on(one, two) }),
      sendImport(service, { features: [{ name: two }], ...on(two, one) }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const found = await Promise.all([one, two].map((name) => readFeature(service, name)));
    expect(found.flatMap(({ dependencies }) => dependencies)).toHaveLength(1);
  }
});

test('A chain of two does not come about when both links are made at the same time', async () => {
  for (let round = 0; round < 2; round += 1) {
    const [child, middle, top] = ['child', 'middle', 'top'].map((name) => `chain-${round}-${name}`) as [
      string,
      string,
      string,
    ];
    await imported(service, { features: [child, middle, top].map((name) => ({ name })) });
    const answers = await Promise.all([
      sendImport(service, { features: [{ name: child }], ...on(child, middle) }),
      sendImport(service, { features: [{ name: middle }], ...on(middle, top) }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  }
});

test('A dependency needs the permission to update dependencies', async () => {
  const token = await newTokenOf(service, { username: 'viewer', rootRole: 'Viewer' });
  const answer = await sendImport(service, { features: [{ name: 'a' }], ...on('a', 'free') }, { token });
  expect(answer.status).toBe(403);
});
