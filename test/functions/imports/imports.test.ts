import { beforeAll, describe, expect, test } from 'vitest';
import { survivesFaults } from '../../harness/faults.ts';
import { paths, problemPaths, readFeature } from '../../harness/features.ts';
import { importPath } from '../../harness/import-file.ts';
import {
  type FileData,
  type ImportOptions,
  imported,
  importSeed,
  sendImport,
  tokensOfRoles,
  writesNothing,
} from '../../harness/imports.ts';
import { freshService } from '../../harness/service.ts';
import { file, filePlaces } from '../../specifications/bodies.ts';
import { filedFeature, importFile, manyFeatures } from '../../specifications/files.ts';
import { sharedService, specify, worldForEach } from '../../specifications/specify.ts';

specify('importToggles', {
  route: 'POST /api/admin/features-batch/import',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: [
    'UPDATE_FEATURE',
    'CREATE_FEATURE',
    'CREATE_FEATURE_STRATEGY',
    'DELETE_FEATURE_STRATEGY',
    'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    'UPDATE_FEATURE_DEPENDENCY',
    'CREATE_CONTEXT_FIELD',
    'CREATE_TAG_TYPE',
  ],
  request: async (world) => ({ body: await file(world), project: world.home.projectId, size: 2 }),
  others: {
    'new features with a new tag type': (world) => {
      const body = importFile(world, [
        filedFeature('parent', { tags: ['first'] }),
        filedFeature('child', { tags: ['second'], parents: ['parent'] }),
      ]);
      return { body, size: 2 };
    },
    'features that are there, in part as they shall be': async (world) => {
      const before = [filedFeature('child', { tags: ['old'], strategy: 'default' }), filedFeature('parent')];
      await world.ask('POST', importPath, importFile(world, before));
      const fields = { stale: true, archived: true };
      return { body: importFile(world, [filedFeature('child', { tags: ['new'], parents: ['parent'], fields })]) };
    },
    '70 features': async (world) => {
      await world.ask(
        'POST',
        importPath,
        importFile(world, [filedFeature('imported-3', { tags: ['old'], strategy: 'default' })]),
      );
      // Shared things come first, then the parents of others, then all others.
      return { body: importFile(world, manyFeatures(70)), size: 70, stages: 3 };
    },
  },
  ...filePlaces,
  // A feature that is there is read in part first, to see whether the file may be imported at all.
  waits: 3,
});

// test/lib/imports/import-permissions.test.ts has what needs which permission.
describe('An import', () => {
  let tokens: Awaited<ReturnType<typeof tokensOfRoles>>;
  const service = sharedService(importSeed);
  beforeAll(async () => {
    tokens = await tokensOfRoles(service);
  });

  async function refused(role: keyof typeof tokens, data: FileData, options: ImportOptions = {}) {
    const answer = await writesNothing(service, () => sendImport(service, data, { ...options, token: tokens[role] }));
    expect([answer.status, answer.body.name]).toEqual([403, 'NoAccessError']);
    return answer.body.message as string;
  }

  test.each([
    ['CREATE_CONTEXT_FIELD', { contextFields: [{ name: 'brand-new' }] }],
    ['CREATE_TAG_TYPE', { tagTypes: [{ name: 'brand-new' }] }],
  ])('that needs %s is an Editor’s, and neither an Owner’s nor a Member’s', async (permission, data) => {
    for (const role of ['owner', 'member'] as const) expect(await refused(role, data)).toContain(permission);
    await imported(service, data, { token: tokens.editor });
    // It exists now, so it needs no creation any more.
    for (const role of ['owner', 'member'] as const) await imported(service, data, { token: tokens[role] });
  });

  test('answers 403 before problems of the file and before an unknown environment', async () => {
    const data = { features: [{ name: 'has space' }], contextFields: [{ name: 'never-made' }] };
    expect(await refused('member', data, { environment: 'no-such-environment' })).toContain('CREATE_CONTEXT_FIELD');
  });
});

describe('An import', () => {
  survivesFaults(
    async (service, feature) => {
      await imported(service, { features: [{ name: feature }] });
      return {
        feature,
        call: () =>
          sendImport(
            service,
            {
              features: [{ name: feature, stale: true }, { name: `${feature}-child` }],
              featureStrategies: [{ name: 'default', featureName: feature }],
              featureEnvironments: [{ name: feature, enabled: true }],
              featureTags: [{ featureName: feature, tagType: `type-${feature}`, tagValue: 'tagged' }],
              tagTypes: [{ name: `type-${feature}` }],
              dependencies: [{ feature: `${feature}-child`, dependencies: [{ feature }] }],
            },
            { environment: 'production' },
          ),
        events: [
          'feature-metadata-updated',
          'feature-stale-on',
          'feature-tagged',
          'feature-strategy-add',
          'feature-environment-enabled',
        ],
      };
    },
    { isOfStore: false },
  );
});

const service = sharedService(importSeed);

function on(feature: string, parent: string) {
  return { dependencies: [{ feature, dependencies: [{ feature: parent }] }] };
}

test('A new child changes its parent, so that a client with the earlier version gets a 412', async () => {
  await imported(service, { features: [{ name: 'p' }] });
  const { etag } = (await service.put(paths.feature('p'))).headers;
  await imported(service, { features: [{ name: 'p-child' }], ...on('p-child', 'p') });
  const headers = { 'if-match': String(etag) };
  expect((await service.put(paths.feature('p'), { stale: true }, { headers })).status).toBe(412);
});

test("Of two features that concurrently become each other's parents, at most one succeeds", async () => {
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

test('An archived feature of any project is skipped with a warning, and all others are imported', async () => {
  const gone = ['gone', 'gone-elsewhere'];
  await imported(service, { features: [{ name: 'gone', archived: true }] });
  await imported(service, { features: [{ name: 'gone-elsewhere', archived: true }] }, { project: 'other' });
  const read = () => Promise.all(gone.map(async (name) => (await service.get(`/api/admin/events/${name}`)).body));
  const before = await read();
  const file = {
    features: [...gone, 'stays'].map((name) => ({ name, stale: true, archived: false })),
    featureStrategies: [...gone, 'stays'].map((featureName) => ({ name: 'default', featureName })),
    featureEnvironments: [...gone, 'stays'].map((name) => ({ name, enabled: true })),
    featureTags: [...gone, 'stays'].map((featureName) => ({ featureName, tagType: 'team', tagValue: featureName })),
    dependencies: [{ feature: 'gone', dependencies: [{ feature: 'nowhere' }] }],
    links: [{ feature: 'gone', links: [{ url: 'https://example.com' }] }],
  };
  const answer = await sendImport(service, file);
  expect(answer).toMatchObject({ status: 200, text: '' });
  expect(answer.headers.warning).toBe(
    '199 - "2 features of the file are archived here and skipped; the validation of the file names them."',
  );
  expect(await read()).toEqual(before);
  expect(await readFeature(service, 'stays')).toMatchObject({ stale: true, tags: [{ type: 'team', value: 'stays' }] });
  expect((await service.get('/api/admin/tags/team')).body.tags).toMatchObject([{ value: 'stays' }]);
});

test('An import that changes nothing of a large dependency does not check it again', async () => {
  const variants = Array.from({ length: 60 }, (_, index) => `variant-${index}`);
  const dependencies = [{ feature: 'large-child', dependencies: [{ feature: 'large', variants }] }];
  const file = { features: [{ name: 'large-child' }], dependencies };
  await imported(service, { ...file, features: [{ name: 'large' }, { name: 'large-child' }] });
  expect((await service.put(paths.feature('large'), { archived: true })).status).toBe(200);
  await imported(service, file);
});

describe('The links of features', () => {
  const { service, world } = worldForEach();

  const bring = (data: FileData) => sendImport(service, { features: [{ name: 'a' }], ...data });
  const linksOf = async (name: string) =>
    (await service.get(`/api/admin/projects/default/features/${name}`)).body.links;

  test('Links of an import stay unchanged, with https for a missing scheme, so that none is a script', async () => {
    const given = ['http://example.com?b=ü', 'example.com/A', 'javascript:1/alert(1)'];
    await bring({ links: [{ feature: 'a', links: given.map((each) => ({ url: each })) }] });
    expect((await linksOf('a')).map((link: { url: string }) => link.url)).toEqual([
      'http://example.com?b=ü',
      'https://example.com/A',
      'https://javascript:1/alert(1)',
    ]);
  });

  test('An export with links can be imported into another service', async () => {
    await world.link();
    const { body: data } = await service.post('/api/admin/features-batch/export', {
      features: ['feature-1'],
      environment: 'development',
    });
    const other = await freshService();
    expect((await sendImport(other, data)).status).toBe(200);
    const { body: feature } = await other.get('/api/admin/projects/default/features/feature-1');
    expect(feature.links).toMatchObject([{ url: 'https://example.com/7', title: 'Seven' }]);
  });

  test('The weights of imported variants are integers, since several SDKs cannot read any flag otherwise', async () => {
    const variants = [{ name: 'a', weight: 333.3 }];
    const answer = await bring({ featureEnvironments: [{ name: 'a', enabled: true, variants }] });
    expect(problemPaths(answer)).toEqual(['data.featureEnvironments.0.variants.0.weight']);
  });
});
