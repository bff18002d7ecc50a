import { describe, expect, test } from 'vitest';
import * as keys from '../../../lib/store/keys.ts';
import { readItem } from '../../../lib/store/read.ts';
import { featureEventsOf, readFeature, readState } from '../../harness/features.ts';
import {
  enabledCount,
  imported,
  importSeed,
  readEnvironments,
  sendImport,
  writesNothing,
} from '../../harness/imports.ts';
import { importPath } from '../../specifications/files.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService(importSeed);

interface Identified {
  readonly id: string;
}
const idsOf = (state: { strategies: Identified[] }) => state.strategies.map(({ id }) => id);
const withoutIds = (state: { strategies: Identified[] }) => state.strategies.map(({ id: _id, ...rest }) => rest);
const strategy = (featureName: string, title: string, more = {}) => ({ name: 'default', featureName, title, ...more });

describe('A feature that is new', () => {
  test('gets what the file says, a default for what it leaves out, and every environment of the project', async () => {
    await imported(service, { features: [{ name: 'new-bare' }] });
    const feature = await readFeature(service, 'new-bare');
    expect(feature).toMatchObject({
      name: 'new-bare',
      type: 'release',
      description: null,
      project: 'default',
      stale: false,
      impressionData: false,
      archived: false,
      archivedAt: null,
      enabled: false,
      tags: [],
      dependencies: [],
      children: [],
      lifecycle: { stage: 'initial' },
    });
    expect(feature.environments).toMatchObject([
      { name: 'development', enabled: false, strategies: [], variants: [] },
      { name: 'production', enabled: false, strategies: [], variants: [] },
    ]);
  });

  test('takes every field of the file', async () => {
    const fields = { name: 'new-full', type: 'permission', description: 'What for', stale: true, impressionData: true };
    await imported(service, { features: [fields] });
    expect(await readFeature(service, 'new-full')).toMatchObject(fields);
  });

  test('may have the longest name there is, of every character that a name may have', async () => {
    const name = `AZaz09_.!~*'()-${'n'.repeat(85)}`;
    await imported(service, { features: [{ name }] });
    expect((await readFeature(service, name)).name).toBe(name);
  });

  test('takes over nothing that is of the exporting server: inline tags, times, lifecycle, project, ids', async () => {
    const before = Date.now();
    await imported(service, {
      features: [
        {
          name: 'new-foreign',
          project: 'other',
          tags: [{ type: 'simple', value: 'inline' }],
          createdAt: '2001-01-01T00:00:00.000Z',
          archivedAt: '2001-01-01T00:00:00.000Z',
          lastSeenAt: '2001-01-01T00:00:00.000Z',
          lifecycle: { stage: 'live', enteredStageAt: '2001-01-01T00:00:00.000Z' },
          enabled: true,
          favorite: true,
          children: ['x'],
          dependencies: [{ feature: 'x' }],
          environments: [{ name: 'development', enabled: true }],
          strategies: [{ name: 'default' }],
          variants: [{ name: 'v', weight: 1000 }],
        },
      ],
      featureStrategies: [strategy('new-foreign', 'mine', { id: 'an-id-of-the-file' })],
    });
    const feature = await readFeature(service, 'new-foreign');
    expect(feature).toMatchObject({
      project: 'default',
      tags: [],
      archived: false,
      archivedAt: null,
      lastSeenAt: null,
      lifecycle: { stage: 'initial' },
      enabled: false,
      favorite: false,
      children: [],
      dependencies: [],
      strategies: [],
      variants: [],
    });
    expect(Date.parse(feature.createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(feature.lifecycle.enteredStageAt)).toBeGreaterThanOrEqual(before);
    expect(idsOf(feature.environments[0])).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test('is created archived where the file says so, and stays it, untouched, when the file comes again', async () => {
    const data = {
      features: [{ name: 'new-archived', archived: true }],
      featureEnvironments: [{ name: 'new-archived', enabled: true }],
    };
    const enabled = await enabledCount(service);
    await imported(service, data);
    expect(await readFeature(service, 'new-archived')).toMatchObject({
      archived: true,
      archivedAt: expect.any(String),
      lifecycle: { stage: 'archived' },
      environments: [{ enabled: true }, { enabled: false }],
    });
    const { body } = await service.get('/api/admin/archive/features/default');
    expect(body.features).toMatchObject([{ name: 'new-archived', archived: true }]);
    expect(await enabledCount(service)).toBe(enabled + 1);
    expect(await writesNothing(service, () => sendImport(service, data))).toMatchObject({ status: 200 });
  });
});

describe('A feature that exists', () => {
  const original = { name: 'kept', type: 'operational', description: 'Before', stale: false, impressionData: true };
  // test/lib/imports/import-feature.test.ts has the others.
  const others = { description: 'After', stale: true };

  test.each(Object.entries(others))('takes its %s from a file that carries no other field', async (field, value) => {
    await imported(service, { features: [original] });
    const before = await readFeature(service, 'kept');
    await imported(service, { features: [{ name: 'kept', [field]: value }] });
    expect(await readFeature(service, 'kept')).toEqual({ ...before, [field]: value });
  });

  test('loses its description where the file says null', async () => {
    await imported(service, { features: [original] });
    await imported(service, { features: [{ name: 'kept', description: null }] });
    expect((await readFeature(service, 'kept')).description).toBeNull();
  });

  test('is archived by a file that says so', async () => {
    await imported(service, { features: [{ name: 'to-archive' }] });
    await imported(service, { features: [{ name: 'to-archive', archived: true }] });
    expect(await readFeature(service, 'to-archive')).toMatchObject({
      archived: true,
      lifecycle: { stage: 'archived' },
    });
  });

  test('keeps all that it has in the other environments', async () => {
    const full = (title: string) => ({
      features: [{ name: 'elsewhere' }],
      featureStrategies: [strategy('elsewhere', title)],
      featureEnvironments: [{ name: 'elsewhere', enabled: true, variants: [{ name: title, weight: 1000 }] }],
    });
    await imported(service, full('for-production'), { environment: 'production' });
    const production = await readState(service, 'elsewhere', 'production');
    await imported(service, full('for-development'));
    await imported(service, { features: [{ name: 'elsewhere', stale: true }] });
    expect(await readState(service, 'elsewhere', 'production')).toEqual(production);
    expect(production).toMatchObject({ enabled: true, strategies: [{ title: 'for-production' }] });
  });

  test('that the file does not name stays as it is', async () => {
    await imported(service, { features: [{ name: 'unnamed' }], featureStrategies: [strategy('unnamed', 'a')] });
    const before = await readFeature(service, 'unnamed');
    await imported(service, { features: [{ name: 'named' }], featureTags: [] });
    expect(await readFeature(service, 'unnamed')).toEqual(before);
  });
});

describe('The strategies in the target environment', () => {
  test('are replaced: those of the same content keep their ids, the others go and come', async () => {
    const features = [{ name: 'replaced' }];
    const list = (...titles: string[]) => titles.map((title) => strategy('replaced', title));
    await imported(service, { features, featureStrategies: list('a', 'b', 'c') });
    const [a, b, c] = idsOf(await readState(service, 'replaced'));
    await imported(service, { features, featureStrategies: list('c', 'd', 'a') });
    const after = await readState(service, 'replaced');
    expect(after.strategies).toMatchObject([
      { id: c, title: 'c', sortOrder: 0 },
      { title: 'd', sortOrder: 1 },
      { id: a, title: 'a', sortOrder: 2 },
    ]);
    expect([a, b, c]).not.toContain(after.strategies[1].id);
  });

  test('count as the same whether their defaults are written out or not, and in whatever order', async () => {
    const features = [{ name: 'spelt' }];
    const rollout = { name: 'flexibleRollout', featureName: 'spelt' };
    await imported(service, { features, featureStrategies: [rollout] });
    const before = await readState(service, 'spelt');
    expect(withoutIds(before)).toEqual([
      {
        ...rollout,
        title: null,
        disabled: false,
        sortOrder: 0,
        segments: [],
        constraints: [],
        variants: [],
        parameters: { rollout: '100', stickiness: 'default', groupId: 'spelt' },
      },
    ]);
    const writtenOut = {
      parameters: { groupId: 'spelt', stickiness: 'default', rollout: '100' },
      variants: [],
      constraints: [],
      segments: [],
      sortOrder: 0,
      disabled: null,
      title: null,
      ...rollout,
      id: 'another',
    };
    const again = () => sendImport(service, { features, featureStrategies: [writtenOut] });
    expect(await writesNothing(service, again)).toMatchObject({ status: 200 });
    expect(await readState(service, 'spelt')).toEqual(before);
  });

  test('of which two are the same stay two, and lose one where the file has one', async () => {
    const features = [{ name: 'twins' }];
    const twin = strategy('twins', 'twin');
    await imported(service, { features, featureStrategies: [twin, twin] });
    const ids = idsOf(await readState(service, 'twins'));
    expect(new Set(ids).size).toBe(2);
    await imported(service, { features, featureStrategies: [twin] });
    expect(idsOf(await readState(service, 'twins'))).toEqual([ids[0]]);
  });

  test('stand where their sortOrder says, else in the order of the file', async () => {
    await imported(service, {
      features: [{ name: 'ordered' }],
      featureStrategies: [
        strategy('ordered', 'third', { sortOrder: 9 }),
        strategy('ordered', 'second', { sortOrder: 4 }),
        strategy('ordered', 'first', { sortOrder: -1 }),
      ],
    });
    expect((await readState(service, 'ordered')).strategies).toMatchObject([
      { title: 'first', sortOrder: -1 },
      { title: 'second', sortOrder: 4 },
      { title: 'third', sortOrder: 9 },
    ]);
  });

  test('with a zero of either sign are the same', async () => {
    const file = (zero: string) =>
      `{"project":"default","environment":"development","data":{"features":[{"name":"signed"}],"tagTypes":[],` +
      `"featureStrategies":[{"name":"default","featureName":"signed","sortOrder":${zero}}],"featureEnvironments":[{` +
      `"name":"signed","enabled":true,"variants":[{"name":"a","weight":${zero}}]}]}}`;
    expect((await service.post(importPath, file('-0'))).status).toBe(200);
    const before = await featureEventsOf(service, 'signed');
    for (const zero of ['-0', '0', '-0.0']) expect((await service.post(importPath, file(zero))).status).toBe(200);
    expect(await featureEventsOf(service, 'signed')).toEqual(before);
  });

  test('of which two are the same write nothing when the file comes again, in whatever order it names them', async () => {
    const data = {
      features: [{ name: 'twins-falling' }],
      featureStrategies: [
        strategy('twins-falling', 'twin', { sortOrder: 5 }),
        strategy('twins-falling', 'twin', { sortOrder: 1 }),
      ],
    };
    await imported(service, data);
    expect(await writesNothing(service, () => sendImport(service, data))).toMatchObject({ status: 200 });
  });

  test('carry constraints, variants with their final weights, and parameters', async () => {
    const constraint = { contextName: 'country', operator: 'IN', values: ['CH'], caseInsensitive: true };
    const variant = (name: string) => ({ name, weight: 1, weightType: 'variable', stickiness: 'default' });
    await imported(service, {
      features: [{ name: 'contents' }],
      featureStrategies: [
        {
          name: 'remoteAddress',
          featureName: 'contents',
          disabled: true,
          constraints: [constraint, { contextName: 'unknown', operator: 'NUM_GT', value: '3', inverted: true }],
          variants: [variant('a'), variant('b'), variant('c')],
          parameters: { IPs: '127.0.0.1' },
        },
      ],
    });
    expect((await readState(service, 'contents')).strategies).toMatchObject([
      {
        name: 'remoteAddress',
        disabled: true,
        constraints: [constraint, { contextName: 'unknown', operator: 'NUM_GT', value: '3', inverted: true }],
        variants: [{ weight: 334 }, { weight: 333 }, { weight: 333 }],
        parameters: { IPs: '127.0.0.1' },
      },
    ]);
  });

  test('find their segments by name, whatever the ids in the file mean here', async () => {
    await imported(service, {
      features: [{ name: 'segmented' }],
      segments: [
        { id: 42, name: 'everybody' },
        { id: 7, name: 'here' },
      ],
      featureStrategies: [strategy('segmented', 'a', { segments: [42, 7] })],
    });
    expect((await readState(service, 'segmented')).strategies).toMatchObject([{ segments: [41, 42] }]);
  });
});

describe('Tags', () => {
  const features = [{ name: 'tagged' }, { name: 'tagged-too' }];
  const tag = (featureName: string, tagValue: string) => ({ featureName, tagType: 'simple', tagValue });
  const tagsOf = async (name: string) => (await readFeature(service, name)).tags;

  test('are replaced for every feature of a file that has featureTags', async () => {
    await imported(service, { features, featureTags: [tag('tagged', 'one'), tag('tagged-too', 'one')] });
    await imported(service, { features, featureTags: [tag('tagged', 'two')] });
    expect(await tagsOf('tagged')).toEqual([{ type: 'simple', value: 'two' }]);
    expect(await tagsOf('tagged-too')).toEqual([]);
    await imported(service, { features, featureTags: [] });
    expect(await tagsOf('tagged')).toEqual([]);
  });

  test('may come by the deprecated names, which the newer ones outweigh, and without a type', async () => {
    const featureName = 'tagged';
    await imported(service, {
      features,
      featureTags: [
        { featureName, type: 'team', value: 'old names' },
        { featureName, type: 'team', value: 'ignored', tagType: 'simple', tagValue: 'new names', createdByUserId: 5 },
        { featureName, tagValue: ' untrimmed ' },
        { featureName, type: 'simple', tagValue: 'new names' },
      ],
    });
    expect(await tagsOf('tagged')).toEqual([
      { type: 'team', value: 'old names' },
      { type: 'simple', value: 'new names' },
      { type: 'simple', value: ' untrimmed ' },
    ]);
  });
});

describe('What features share', () => {
  test('a tag type that is new is created and can be used by the same file and by others', async () => {
    await imported(service, {
      features: [{ name: 'shares-type' }],
      tagTypes: [{ name: 'risk', description: 'How bad', icon: null }, { name: 'unused' }],
      featureTags: [{ featureName: 'shares-type', tagType: 'risk', tagValue: 'high' }],
    });
    expect(await readItem(service.table, keys.tagType('risk'))).toMatchObject({ description: 'How bad', icon: null });
    for (const type of ['risk', 'unused']) {
      const { status } = await service.post('/api/admin/features/shares-type/tags', { type, value: 'later' });
      expect(status).toBe(201);
    }
  });

  test('a tag type that exists stays as it is', async () => {
    const before = await readItem(service.table, keys.tagType('team'));
    await imported(service, { tagTypes: [{ name: 'team', description: 'Another', icon: 'X' }] });
    expect(await readItem(service.table, keys.tagType('team'))).toEqual(before);
  });

  test('a context field that is new is created, and its legal values hold from then on', async () => {
    const field = { name: 'planet', description: 'Where', stickiness: true, sortOrder: 3 };
    await imported(service, {
      features: [{ name: 'shares-field' }],
      contextFields: [{ ...field, usedInFeatures: 5, legalValues: [{ value: 'mars', description: 'red' }] }],
      featureStrategies: [
        strategy('shares-field', 'a', {
          constraints: [{ contextName: 'planet', operator: 'IN', values: ['mars'] }],
        }),
      ],
    });
    expect(await readItem(service.table, keys.contextField('planet'))).toMatchObject(field);
    const add = (value: string) =>
      service.post('/api/admin/projects/default/features/shares-field/environments/development/strategies', {
        name: 'default',
        constraints: [{ contextName: 'planet', operator: 'IN', values: [value] }],
      });
    expect((await add('mars')).status).toBe(200);
    expect((await add('venus')).status).toBe(400);
  });

  test('a context field of a project becomes one of the project that it is imported into, and is exported as such', async () => {
    await imported(service, {
      features: [{ name: 'shares-own-field' }],
      contextFields: [{ name: 'moon', project: 'elsewhere' }],
      featureStrategies: [
        strategy('shares-own-field', 'a', {
          constraints: [{ contextName: 'moon', operator: 'IN', values: ['io'] }],
        }),
      ],
    });
    const place = '/api/admin/projects/default/context/moon';
    expect((await service.get(place)).body).toMatchObject({ name: 'moon', project: 'default' });
    const request = { environment: 'development', features: ['shares-own-field'] };
    const { body } = await service.post('/api/admin/features-batch/export', request);
    expect(body.contextFields).toMatchObject([{ name: 'moon', project: 'default' }]);
  });

  test('a context field that exists stays as it is where the file has some of its legal values', async () => {
    const before = await readItem(service.table, keys.contextField('country'));
    const field = { name: 'country', description: 'Another', stickiness: true, legalValues: [{ value: 'NZ' }] };
    await imported(service, { contextFields: [field, { name: 'userId' }] });
    expect(await readItem(service.table, keys.contextField('country'))).toEqual(before);
  });
});

describe('Dependencies', () => {
  const on = (feature: string, ...dependencies: object[]) => ({ dependencies: [{ feature, dependencies }] });

  test('are added to those that are there, with defaults, and show on the parents', async () => {
    await imported(service, {
      features: [{ name: 'parent-1' }, { name: 'parent-2' }],
      featureEnvironments: [{ name: 'parent-2', enabled: true, variants: [{ name: 'blue', weight: 1000 }] }],
    });
    await imported(service, { features: [{ name: 'child' }], ...on('child', { feature: 'parent-1' }) });
    await imported(service, {
      features: [{ name: 'child' }],
      ...on('child', { feature: 'parent-2', enabled: false, variants: ['blue'] }),
    });
    expect((await readFeature(service, 'child')).dependencies).toEqual([
      { feature: 'parent-1', enabled: true, variants: [] },
      { feature: 'parent-2', enabled: false, variants: ['blue'] },
    ]);
    for (const parent of ['parent-1', 'parent-2']) {
      expect((await readFeature(service, parent)).children).toEqual(['child']);
    }
  });

  test('may name a parent that comes later in the file, and may be spread over several entries', async () => {
    await imported(service, {
      features: [{ name: 'child-4' }, { name: 'parent-4' }, { name: 'parent-5' }],
      dependencies: ['parent-4', 'parent-5'].map((feature) => ({ feature: 'child-4', dependencies: [{ feature }] })),
    });
    expect((await readFeature(service, 'child-4')).dependencies).toMatchObject([
      { feature: 'parent-4' },
      { feature: 'parent-5' },
    ]);
  });

  test('on one parent that the file names twice write nothing when the file comes again', async () => {
    const data = {
      features: [{ name: 'child-6' }, { name: 'parent-6' }],
      ...on('child-6', { feature: 'parent-6', enabled: false }, { feature: 'parent-6', enabled: true }),
    };
    await sendImport(service, data);
    await writesNothing(service, () => sendImport(service, data));
  });

  test('that two files name in another order write nothing the second time', async () => {
    const features = ['child-7', 'parent-7', 'parent-8'].map((name) => ({ name }));
    const [a, b] = [{ feature: 'parent-7' }, { feature: 'parent-8' }];
    await imported(service, { features, ...on('child-7', a, b) });
    const again = () => sendImport(service, { features, ...on('child-7', b, a) });
    expect(await writesNothing(service, again)).toMatchObject({ status: 200 });
  });
});

describe('The state in the target environment', () => {
  test('is of the feature that featureName names, and of name only where that is missing', async () => {
    await imported(service, {
      features: [{ name: 'by-feature-name' }, { name: 'by-name' }, { name: 'production' }],
      featureEnvironments: [
        { featureName: 'by-feature-name', name: 'production', environment: 'production', enabled: true },
        { name: 'by-name', enabled: true },
      ],
    });
    for (const name of ['by-feature-name', 'by-name']) {
      expect(await readState(service, name)).toMatchObject({ enabled: true });
      expect(await readState(service, name, 'production')).toMatchObject({ enabled: false });
    }
    expect(await readFeature(service, 'production')).toMatchObject({ enabled: false });
  });

  test('takes the variants, which the variants operation answers, and none where the file has none', async () => {
    const path = '/api/admin/projects/default/features/varied/environments/development/variants';
    const variants = [
      { name: 'a', weight: 501, weightType: 'fix', stickiness: 'userId', payload: { type: 'json', value: '{}' } },
      { name: 'b', weight: 499, overrides: [{ contextName: 'userId', values: ['7'] }] },
    ];
    const withVariants = (list: object[]) => ({
      features: [{ name: 'varied' }],
      featureEnvironments: [{ name: 'varied', enabled: false, variants: list }],
    });
    await imported(service, withVariants(variants));
    expect((await service.get(path)).body).toEqual({ version: 1, variants });
    expect(await readState(service, 'varied')).toMatchObject({ variantCount: 2 });
    await imported(service, withVariants([]));
    expect((await service.get(path)).body).toEqual({ version: 1, variants: [] });
  });

  test('moves the count of enabled features step by step, in its environment only', async () => {
    const both = async () => {
      const { development, production } = await readEnvironments(service);
      return [development.enabledToggleCount, production.enabledToggleCount];
    };
    const [development = 0, production = 0] = await both();
    const names = ['counted-1', 'counted-2', 'counted-3'];
    const importAll = (enabled: boolean[], environment: string) =>
      imported(
        service,
        {
          features: names.map((name) => ({ name })),
          featureEnvironments: names.map((name, index) => ({ name, enabled: enabled[index] })),
        },
        { environment },
      );
    await importAll([true, true, false], 'development');
    expect(await both()).toEqual([development + 2, production]);
    await importAll([false, true, true], 'development');
    expect(await both()).toEqual([development + 2, production]);
    await importAll([true, true, true], 'production');
    expect(await both()).toEqual([development + 2, production + 3]);
    await importAll([false, false, false], 'development');
    expect(await both()).toEqual([development, production + 3]);
  });
});

describe('A feature that is on after an import', () => {
  const rollout = (groupId: string, stickiness = 'default') => ({
    name: 'flexibleRollout',
    disabled: false,
    parameters: { rollout: '100', stickiness, groupId },
  });
  const switchedOn = (name: string, featureStrategies: object[] = []) => ({
    features: [{ name }],
    featureStrategies: featureStrategies as Record<string, unknown>[],
    featureEnvironments: [{ name, enabled: true }],
  });

  test('without a strategy is given a rollout to all, once', async () => {
    const data = switchedOn('on-bare');
    await imported(service, data);
    expect(await readState(service, 'on-bare')).toMatchObject({ strategies: [rollout('on-bare')] });
    expect(await writesNothing(service, () => sendImport(service, data))).toMatchObject({ status: 200 });
  });

  test('is given it at a place that an answer can show, even after the last one there is', async () => {
    const last = strategy('on-last', 'off', { disabled: true, sortOrder: Number.MAX_SAFE_INTEGER });
    await imported(service, switchedOn('on-last', [last]));
    const { strategies } = await readState(service, 'on-last');
    expect(strategies).toHaveLength(2);
    for (const { sortOrder } of strategies) expect(sortOrder).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  });
});

test.each(['__proto__', 'constructor', '*'])(
  'A feature may be called %s, and have and be a parent, like any other',
  async (name) => {
    const data = {
      features: [{ name }, { name: `${name}-of` }],
      featureStrategies: [strategy(name, 'mine')],
      featureEnvironments: [{ name, enabled: true }],
      featureTags: [{ featureName: name, tagValue: 'mine' }],
      dependencies: [{ feature: `${name}-of`, dependencies: [{ feature: name }] }],
    };
    await imported(service, data);
    expect(await readFeature(service, name)).toMatchObject({
      name,
      tags: [{ value: 'mine' }],
      children: [`${name}-of`],
      environments: [{ enabled: true, strategies: [{ title: 'mine' }] }, { enabled: false }],
    });
    expect(await writesNothing(service, () => sendImport(service, data))).toMatchObject({ status: 200 });
  },
);

test('A file that describes a context field or a tag type twice is answered the same way when it comes again', async () => {
  const field = (value: string) => ({ name: 'described-twice', legalValues: [{ value }] });
  const type = (description: string) => ({ name: 'described-twice', description });
  const data = { contextFields: [field('one'), field('two')], tagTypes: [type('one'), type('two')] };
  const { status } = await sendImport(service, data);
  expect(await writesNothing(service, () => sendImport(service, data))).toMatchObject({ status });
});

test('An empty file is imported and changes nothing', async () => {
  expect(await writesNothing(service, () => sendImport(service, {}))).toMatchObject({ status: 200, text: '' });
});

test('Whatever else a newer export holds is ignored', async () => {
  const body = {
    project: 'default',
    environment: 'development',
    more: 1,
    data: {
      more: 1,
      features: [{ name: 'newer', more: 1, links: [] }],
      featureStrategies: [{ name: 'default', featureName: 'newer', milestoneId: null }],
      featureEnvironments: [{ name: 'development', featureName: 'newer', enabled: true, lastSeenAt: null, more: 1 }],
      tagTypes: [{ name: 'simple', color: '#FFFFFF' }],
      links: [{ feature: 'newer', links: [] }],
    },
  };
  expect(await service.post('/api/admin/features-batch/import', body)).toMatchObject({ status: 200 });
  expect(await readState(service, 'newer')).toMatchObject({ enabled: true, strategies: [{ name: 'default' }] });
});
