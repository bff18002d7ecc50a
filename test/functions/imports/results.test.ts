import { describe, expect, test } from 'vitest';
import { contextFields } from '../../../lib/context-fields/context-fields.ts';
import { readItem } from '../../../lib/store/read.ts';
import { tagTypes } from '../../../lib/tags/tags.ts';
import { featureEventsOf, readFeature, readState } from '../../harness/features.ts';
import { importPath } from '../../harness/import-file.ts';
import { imported, importSeed, sendImport, writesNothing } from '../../harness/imports.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService(importSeed);

interface Identified {
  readonly id: string;
}
const idsOf = (state: { strategies: Identified[] }) => state.strategies.map(({ id }) => id);
const strategy = (featureName: string, title: string, more = {}) => ({ name: 'default', featureName, title, ...more });

test('A new feature takes no inline tags, times, lifecycle, project and ids of the exporting server', async () => {
  const time = '2001-01-01T00:00:00.000Z';
  const foreign = {
    ...{ project: 'other', enabled: true, favorite: true, children: ['x'], dependencies: [{ feature: 'x' }] },
    ...{ createdAt: time, archivedAt: time, lastSeenAt: time, lifecycle: { stage: 'live', enteredStageAt: time } },
    ...{ tags: [{ type: 'simple', value: 'inline' }], environments: [{ name: 'development', enabled: true }] },
    ...{ strategies: [{ name: 'default' }], variants: [{ name: 'v', weight: 1000 }] },
  };
  await imported(service, {
    features: [{ name: 'new-plain' }, { name: 'new-foreign', ...foreign }],
    featureStrategies: [strategy('new-foreign', 'mine', { id: 'an-id-of-the-file' })],
  });
  const { environments, ...feature } = await readFeature(service, 'new-foreign');
  const { environments: _, ...plain } = await readFeature(service, 'new-plain');
  expect(feature).toEqual({ ...plain, name: 'new-foreign' });
  expect(idsOf(environments[0])).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

describe('Strategies in the target environment', () => {
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

  test('find their segments by name, whatever the ids in the file are', async () => {
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

  test('find a segment whose name has white space around it on Unleash', async () => {
    await imported(service, {
      features: [{ name: 'spaced' }],
      segments: [{ id: 7, name: ' here ' }],
      featureStrategies: [strategy('spaced', 'a', { segments: [7] })],
    });
    expect((await readState(service, 'spaced')).strategies).toMatchObject([{ segments: [42] }]);
  });
});

describe('The shared things of features', () => {
  test('a new tag type is created and can be used by the same file and by others', async () => {
    await imported(service, {
      features: [{ name: 'shares-type' }],
      tagTypes: [{ name: 'risk', description: 'How bad', icon: null }, { name: 'unused' }],
      featureTags: [{ featureName: 'shares-type', tagType: 'risk', tagValue: 'high' }],
    });
    expect(await readItem(service.table, tagTypes.keyOf('risk'))).toMatchObject({ description: 'How bad', icon: null });
    for (const type of ['risk', 'unused']) {
      const { status } = await service.post('/api/admin/features/shares-type/tags', { type, value: 'later' });
      expect(status).toBe(201);
    }
  });

  test('a new context field is created, and its legal values apply from then on', async () => {
    const field = { name: 'planet', description: 'Where', stickiness: true, sortOrder: 3 };
    await imported(service, {
      features: [{ name: 'shares-field' }],
      contextFields: [{ ...field, usedInFeatures: 5, legalValues: [{ value: 'mars', description: 'red' }] }],
      featureStrategies: [
        strategy('shares-field', 'a', { constraints: [{ contextName: 'planet', operator: 'IN', values: ['mars'] }] }),
      ],
    });
    expect(await readItem(service.table, contextFields.keyOf('planet'))).toMatchObject(field);
    const add = (value: string) =>
      service.post('/api/admin/projects/default/features/shares-field/environments/development/strategies', {
        name: 'default',
        constraints: [{ contextName: 'planet', operator: 'IN', values: [value] }],
      });
    expect((await add('mars')).status).toBe(200);
    expect((await add('venus')).status).toBe(400);
  });

  test('a context field of a project becomes one of the target project, and is exported as such', async () => {
    await imported(service, {
      features: [{ name: 'shares-own-field' }],
      contextFields: [{ name: 'moon', project: 'elsewhere' }],
      featureStrategies: [
        strategy('shares-own-field', 'a', { constraints: [{ contextName: 'moon', operator: 'IN', values: ['io'] }] }),
      ],
    });
    const place = '/api/admin/projects/default/context/moon';
    expect((await service.get(place)).body).toMatchObject({ name: 'moon', project: 'default' });
    const request = { environment: 'development', features: ['shares-own-field'] };
    const { body } = await service.post('/api/admin/features-batch/export', request);
    expect(body.contextFields).toMatchObject([{ name: 'moon', project: 'default' }]);
  });

  test('an existing tag type and an existing context field stay unchanged', async () => {
    const read = () =>
      Promise.all(
        [{ pk: 'TAG_TYPES', sk: 'team' }, contextFields.keyOf('country')].map((key) => readItem(service.table, key)),
      );
    const before = await read();
    const field = { name: 'country', description: 'Another', stickiness: true, legalValues: [{ value: 'NZ' }] };
    const tagTypes = [{ name: 'team', description: 'Another', icon: 'X' }];
    await imported(service, { tagTypes, contextFields: [field, { name: 'userId' }] });
    expect(await read()).toEqual(before);
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
