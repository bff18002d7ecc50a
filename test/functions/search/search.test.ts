import { beforeAll, describe, expect, test } from 'vitest';
import { importFileParts, newTokenOf, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('searchFeatures', {
  route: 'GET /api/admin/search/features',
  may: 'any token',
  // A project that the process has not read before: what it has read, it asks only for what has changed of it.
  request: async (world) => {
    const { projectId } = await world.projectWithFeature({ on: true });
    return { query: { project: `IS:${projectId}`, offset: 0, limit: 25, sortBy: 'createdAt', sortOrder: 'desc' } };
  },
  // When the features of the page were last used.
  waits: 2,
});

const { service, world } = sharedWorld();
const search = async (query: string) => {
  const { status, body } = await service.get(`/api/admin/search/features?${query}`);
  expect([status, body]).toMatchObject([200, {}]);
  return body;
};

describe('A search for features', () => {
  beforeAll(async () => {
    const tags = (...values: string[]) => values.map((value) => ({ type: 'simple', value }));
    const make = (name: string, fields: object) => importFileParts(service, { features: [{ name, ...fields }] });
    await make('alpha', { type: 'experiment', description: 'The Beginning' });
    await make('beta', { type: 'release', stale: true });
    await make('gamma', { type: 'release', impressionData: true });
    await make('omega', { type: 'kill-switch', archived: true });
    for (const { value } of tags('red', 'blue')) await world.ask('POST', '/api/admin/features/alpha/tags', { value });
    await world.ask('POST', '/api/admin/features/beta/tags', { value: 'blue' });
    const { id } = await world.segment({ name: 'customers' });
    await world.strategy(
      { name: 'beta', place: { ...world.home, featureName: 'beta' } },
      { name: 'default', segments: [id] },
    );
    await importFileParts(service, {
      features: [{ name: 'gamma' }],
      featureEnvironments: [{ name: 'development', featureName: 'gamma', enabled: true }],
      dependencies: [{ feature: 'gamma', dependencies: [{ feature: 'alpha' }] }],
    });
    const project = await world.project();
    await world.feature({ project });
  });

  const namesOf = async (query: string): Promise<string> =>
    (await search(query)).features.map(({ name }: { name: string }) => name).join(' ');

  test('answers what a list shows of each', async () => {
    const { features, total } = await search('query=gamma');
    expect(total).toBe(1);
    expect(features[0]).toMatchObject({
      name: 'gamma',
      type: 'release',
      description: null,
      project: 'default',
      stale: false,
      favorite: false,
      impressionData: true,
      archivedAt: null,
      dependencyType: 'child',
      tags: [],
      segments: [],
      lifecycle: { stage: 'initial' },
    });
    expect(features[0].environments).toMatchObject([
      { name: 'development', enabled: true, hasStrategies: true, hasEnabledStrategies: true, variantCount: 0 },
      { name: 'production', enabled: false, hasStrategies: false, hasEnabledStrategies: false, variantCount: 0 },
    ]);
    expect((await search('query=beta')).features[0].segments).toEqual(['customers']);
    expect((await search('query=alpha')).features[0].dependencyType).toBe('parent');
  });

  // test/lib/features/search has the rules of each filter and order.
  test.each([
    ['', 'alpha beta gamma feature-1'],
    ['query=ALPH', 'alpha'],
    ['project=IS_NOT:default', 'feature-1'],
    ['project=IS_ANY_OF:default,project-1', 'alpha beta gamma feature-1'],
    ['type=IS_ANY_OF:experiment,kill-switch', 'alpha'],
    ['lifecycle=IS:archived', 'omega'],
    ['state=IS:archived', 'omega'],
    ['archived=IS:true', 'omega'],
    ['tag=EXCLUDE_IF_ANY_OF:simple:red,%20simple:blue', 'gamma feature-1'],
    ['segment=INCLUDE:customers', 'beta'],
    ['status=development:enabled', 'gamma'],
    ['status=development:enabled&status=development:wrong&status=development', 'gamma'],
    ['status[]=development:wrong&project=IS:default', 'alpha beta gamma'],
    ['status[]=development:disabled&status[]=production:enabled&project=IS:default', 'alpha beta'],
    ['status=production:disabled', 'alpha beta gamma'],
    ['status=nowhere:disabled', ''],
    ['createdAt=IS_ON_OR_AFTER:2020-01-01', 'alpha beta gamma feature-1'],
    ['lastSeenAt=IS_BEFORE:2030-01-01', ''],
  ])('finds with "%s": %s', async (query, names) => {
    expect(await namesOf(`${query}&sortBy=createdAt`)).toBe(names);
  });

  test.each([
    ['sortBy=name&sortOrder=desc', 'gamma beta alpha'],
    ['sortBy=type&sortOrder=desc', 'beta gamma alpha'],
    ['sortBy=environment:development&sortOrder=desc', 'gamma alpha beta'],
    ['sortBy=', 'alpha beta gamma'],
    ['sortBy=name&offset=1&limit=1', 'beta'],
    ['sortBy=name&offset=3', ''],
  ])('puts with "%s" in the order %s', async (query, names) => {
    const { features, total } = await search(`project=IS:default&${query}`);
    expect(features.map(({ name }: { name: string }) => name).join(' ')).toBe(names);
    expect(total).toBe(3);
  });

  test('knows the favorites of the caller, and puts them first where that is asked for', async () => {
    const path = '/api/admin/projects/default/features/gamma/favorites';
    await world.ask('POST', path);
    expect(await namesOf('favorite=IS:true')).toBe('gamma');
    expect(await namesOf('project=IS:default&sortBy=name&favoritesFirst=true')).toBe('gamma alpha beta');
    expect((await search('query=gamma')).features[0].favorite).toBe(true);
    const { body } = await service.get('/api/admin/projects/default/features');
    expect(body.features.filter((feature: { favorite: boolean }) => feature.favorite)).toMatchObject([
      { name: 'gamma' },
    ]);
    await world.ask('DELETE', path);
    expect(await namesOf('favorite=IS:true')).toBe('');
  });

  test('finds by who created a feature', async () => {
    const { createdBy } = (await search('query=alpha')).features[0];
    expect(await namesOf(`createdBy=IS:${createdBy.id}&project=IS:default`)).toBe('alpha beta gamma');
    expect(await namesOf('createdBy=IS:987654')).toBe('');
  });

  test.each([
    ['query', 'a,'.repeat(50), 50],
    ['query', 'a'.repeat(1_001), 1_000],
    ['project', `IS_ANY_OF:${'a,'.repeat(250)}a`, 250],
    ['status', `${'development:enabled&status='.repeat(100)}development:enabled`, 100],
  ])('refuses more in %s than a search of all features can look for', async (parameter, value, limit) => {
    const { status, body } = await service.get(`/api/admin/search/features?${parameter}=${value}`);
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    expect(body.message).toMatch(new RegExp(`${parameter}.*at most ${limit.toLocaleString('en')} `, 'i'));
  });

  test.each([
    'project=default',
    'project=IS:',
    'state=IS:half',
    'state=LIKE:stale',
    'tag=INCLUDE:red',
    'archived=IS:maybe',
    'createdAt=IS_BEFORE:yesterday',
    'offset=-1',
    'limit=0',
    'limit=1001',
    'sortBy=colour',
    'sortOrder=up',
    'favoritesFirst=1',
  ])('refuses "%s" and names the parameter', async (query) => {
    const { status, body } = await service.get(`/api/admin/search/features?${query}`);
    expect([status, body.name]).toEqual([400, 'ValidationError']);
    expect(body.message).toContain(query.slice(0, query.indexOf('=')));
  });
});

specify('getFlagCreators', {
  route: 'GET /api/admin/flag-creators',
  may: 'any token',
  // The list of projects comes before their read models.
  waits: 2,
  given: async (world) => world.feature({ project: await world.project() }),
});

test('Everybody who created a feature of any project is listed once, by name', async () => {
  const service = await freshService(shopSeed);
  const token = await newTokenOf(service, { username: 'bob', rootRole: 'Editor' });
  for (const project of ['shop', 'default']) {
    const path = `/api/admin/projects/${project}/features`;
    expect((await service.post(path, { name: `of-${project}` }, { token })).status).toBe(201);
  }
  expect((await service.get('/api/admin/flag-creators')).body).toEqual({
    flagCreators: [{ id: expect.any(Number), name: 'bob' }],
    total: 1,
  });
});
