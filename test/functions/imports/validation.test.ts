import { beforeAll, describe, expect, test } from 'vitest';
import { newTokenOf, problemPaths, readFeature, shopSeed } from '../../harness/features.ts';
import {
  type FileData,
  type ImportOptions,
  imported,
  importSeed,
  sendImport,
  writesNothing,
} from '../../harness/imports.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { file, filePlaces } from '../../specifications/bodies.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('validateImport', {
  route: 'POST /api/admin/features-batch/validate',
  may: 'any token',
  request: async (world) => ({ body: await file(world), size: 2 }),
  ...filePlaces,
  differs: '404 for an unknown project or environment',
});

interface Item {
  readonly message: string;
  readonly affectedItems: readonly string[];
}

describe('The validation of an import', () => {
  const body = (data: object, project = 'shop') => ({
    project,
    environment: 'development',
    data: { features: [], featureStrategies: [], tagTypes: [], ...data },
  });
  const path = '/api/admin/features-batch/validate';

  test('names everything that prevents the import, with its things, and writes nothing', async () => {
    const service = await freshService(shopSeed);
    const data = {
      features: [{ name: 'a' }, { name: 'a' }, { name: 'b/c' }],
      featureStrategies: [
        { name: 'nowhere', featureName: 'a' },
        { name: 'default', featureName: 'other' },
        { name: 'userWithId' },
      ],
      segments: [{ id: 5, name: 'unknown' }],
      dependencies: [{ feature: 'a', dependencies: [{ feature: 'missing' }] }],
    };
    const answer = await writesNothing(service, () => service.post(path, body(data)));
    expect(answer.status).toBe(200);
    const { errors, warnings, permissions } = answer.body;
    expect(errors).toContainEqual({ message: 'There is no strategy type "nowhere".', affectedItems: ['a'] });
    expect(errors).toContainEqual({ message: 'There is no segment "unknown".', affectedItems: ['unknown'] });
    expect(errors).toContainEqual({ message: 'The strategy names no feature.', affectedItems: ['userWithId'] });
    expect(errors.flatMap(({ affectedItems }: Item) => affectedItems)).toEqual(
      expect.arrayContaining(['b/c', 'other', 'a']),
    );
    expect([warnings, permissions]).toEqual([[], []]);
    // They are the checks of the import.
    const refused = await service.post('/api/admin/features-batch/import', body(data));
    const messages = refused.body.details.map(({ message }: Item) => message);
    expect(errors.map(({ message }: Item) => message)).toEqual([...new Set(messages)]);
  });

  test('warns about archived features, and does not check their content', async () => {
    const service = await freshService(shopSeed);
    const world = new World(service);
    const { name } = await world.feature({ project: 'shop', archived: true });
    const data = {
      features: [{ name }, { name: 'new' }],
      featureStrategies: [{ name: 'nowhere', featureName: name }],
    };
    const token = await newTokenOf(service, { username: 'ann', inProject: { project: 'shop', role: 'Member' } });
    const { body: validated } = await service.post(path, body(data), { token });
    expect(validated).toEqual({
      errors: [],
      warnings: [
        {
          message: 'These features are archived and would be skipped; revive them first to import them.',
          affectedItems: [name],
        },
      ],
      permissions: [],
    });
  });

  test('warns about features that would be overwritten, and names missing permissions', async () => {
    const service = await freshService(shopSeed);
    const world = new World(service);
    const { name } = await world.feature({ project: 'shop' });
    const type = await world.strategyType();
    const data = { features: [{ name }, { name: 'new' }], featureStrategies: [{ name: type, featureName: name }] };
    const token = await newTokenOf(service, { username: 'zoe' });
    const { warnings, permissions } = (await service.post(path, body(data), { token })).body;
    expect(warnings.map(({ affectedItems }: Item) => affectedItems)).toEqual([[name], [type]]);
    expect(permissions[0].affectedItems).toEqual(['UPDATE_FEATURE', 'CREATE_FEATURE', 'CREATE_FEATURE_STRATEGY']);
    const member = await newTokenOf(service, { username: 'bob', inProject: { project: 'shop', role: 'Member' } });
    expect((await service.post(path, body(data), { token: member })).body.permissions).toEqual([]);
    expect(await service.post(path, body(data, 'nowhere'))).toMatchObject({ status: 404 });
  });
});

describe('A file with problems', () => {
  const service = sharedService(importSeed);
  beforeAll(async () => {
    await imported(service, { features: [{ name: 'here' }] });
    await imported(service, { features: [{ name: 'elsewhere' }] }, { project: 'other' });
    await imported(service, { features: [{ name: 'gone', archived: true }] });
  });

  const refused = (data: FileData, options?: ImportOptions) =>
    writesNothing(service, () => sendImport(service, data, options));

  const strategy = (featureName: string, more = {}) => ({ name: 'default', featureName, ...more });
  const constraint = (contextName: string, ...values: string[]) => ({ contextName, operator: 'IN', values });
  const legal = (...values: string[]) => values.map((value) => ({ value }));

  /** A file with a mistake of each kind that only the store can tell, among good features. */
  const everything: FileData = {
    features: [...['good', 'elsewhere', 'gone', 'has space'].map((name) => ({ name })), { name: 'here', stale: true }],
    featureStrategies: [
      strategy('gone', { name: 'no-such-type' }),
      strategy('good', { name: 'no-such-type' }),
      strategy('good', {
        segments: [41],
        constraints: [constraint('country', 'GR'), constraint('tier', 'gold', 'tin')],
      }),
      strategy('nowhere'),
    ],
    featureEnvironments: [{ name: 'nowhere', enabled: true }],
    featureTags: [{ featureName: 'good', tagType: 'no-such-tag-type', tagValue: 'xx' }],
    tagTypes: [{ name: 'never-made' }],
    contextFields: [
      { name: 'country', legalValues: legal('CH', 'FR') },
      { name: 'userId', legalValues: legal('7') },
      { name: 'tier', legalValues: legal('gold') },
    ],
    segments: [
      { id: 1, name: 'no-such-segment' },
      { id: 2, name: 'there' },
    ],
    dependencies: [
      { feature: 'good', dependencies: ['no-such-parent', 'elsewhere', 'gone'].map((feature) => ({ feature })) },
    ],
  };

  // test/lib/imports has all that can be wrong with a file.
  describe('A file is refused, and nothing is written, for', () => {
    test('everything that contradicts the store, with all paths in one reply', async () => {
      const before = await readFeature(service, 'here');
      const { status, body } = await refused(everything);
      expect([status, body.name]).toEqual([400, 'ValidationError']);
      const places: string[] = body.details.map(({ path }: { path: string }) => path);
      expect(places.toSorted()).toEqual([
        'data.contextFields.0.legalValues',
        'data.contextFields.1.legalValues',
        'data.dependencies.0.dependencies.0',
        'data.dependencies.0.dependencies.1',
        'data.dependencies.0.dependencies.2',
        'data.featureEnvironments.0',
        'data.featureStrategies.1.name',
        'data.featureStrategies.2.constraints.0',
        'data.featureStrategies.2.constraints.1',
        'data.featureStrategies.2.segments',
        'data.featureStrategies.3.featureName',
        'data.featureTags.0',
        'data.features.1.name',
        'data.features.3.name',
        'data.segments.0.name',
        'data.segments.1.name',
      ]);
      expect(body.message).toContain(String(places.length));
      expect(await readFeature(service, 'here')).toEqual(before);
      expect((await service.get('/api/admin/events/good')).body).toMatchObject({ totalEvents: 0 });
    });

    test('strategies and variants that the operations of one feature would refuse', async () => {
      const answer = await refused({
        features: [{ name: 'f' }],
        featureStrategies: [
          strategy('f', { constraints: [{ contextName: 'userId', operator: 'NUM_EQ', value: 'abc' }] }),
          strategy('f', { name: 'flexibleRollout', parameters: { rollout: 'lots' } }),
          strategy('f', { variants: [{ name: 'v', weight: 1000, weightType: 'fix', stickiness: 'default' }] }),
          strategy('f', { segments: [1, 2, 3, 4, 5, 6] }),
        ],
        featureEnvironments: [{ name: 'f', enabled: true, variants: [{ name: 'v', weight: 1001 }] }],
      });
      expect(problemPaths(answer)).toEqual([
        'data.featureEnvironments.0.variants.0.weight',
        'data.featureStrategies.0.constraints.0',
        'data.featureStrategies.1.parameters.rollout',
        'data.featureStrategies.2.variants',
        'data.featureStrategies.3.segments',
      ]);
    });

    test('the same feature twice, with a 409 as on Unleash if that is the only problem', async () => {
      const features = [{ name: 'f' }, { name: 'f' }, { name: 'g' }, { name: 'g' }];
      const message = 'The feature "f" appears in the file more than once.';
      expect(await refused({ features })).toMatchObject({
        status: 409,
        body: { name: 'NameExistsError', details: [{ message, path: 'data.features' }, { path: 'data.features' }] },
      });
      const more = await refused({ features: [...features, { name: 'no name' }] });
      expect(problemPaths(more)).toEqual(['data.features', 'data.features.4.name']);
    });

    test('a tag without a value in either of its fields', async () => {
      const { status, body } = await refused({ features: [{ name: 'f' }], featureTags: [{ featureName: 'f' }] });
      expect([status, body.details]).toMatchObject([400, [{ path: 'data.featureTags.0' }]]);
    });
  });

  test('A message that quotes a long text does not split a character', async () => {
    const text = `n${'\u{1f600}'.repeat(60)}`;
    const answer = await refused({
      features: [{ name: text }],
      featureStrategies: [strategy(text, { name: text })],
      segments: [{ id: 1, name: text }],
    });
    expect(answer.status).toBe(400);
    for (const { message } of answer.body.details) expect(message.isWellFormed(), message).toBe(true);
    expect(answer.text).not.toMatch(/\\ud[89a-f]/i);
  });

  describe('An unknown target is a 404 that writes nothing', () => {
    test.each<[string, ImportOptions]>([
      ['an unknown project', { project: 'no-such-project' }],
      ['an unknown environment', { environment: 'no-such-environment' }],
      ['an environment that only another project has', { project: 'other', environment: 'production' }],
    ])('%s, whether the file is empty or bad', async (_what, options) => {
      for (const data of [{}, everything]) {
        const { status, body } = await refused(data, options);
        expect([status, body.name]).toEqual([404, 'NotFoundError']);
      }
    });
  });
});
