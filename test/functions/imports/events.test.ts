import { describe, expect, test } from 'vitest';
import type { Event } from '../../../lib/events/event-schema.ts';
import { newTokenOf, featureEventsOf as readEvents, readFeature, readState } from '../../harness/features.ts';
import { type FileData, imported, importSeed } from '../../harness/imports.ts';
import { serviceEventsAddedBy } from '../../harness/service-events.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService(importSeed);

const simple = (value: string) => ({ type: 'simple', value });
const place = { project: 'default', environment: 'development' };

/** Returns the events that an import adds to those of a feature. */
async function eventsOf(name: string, data: FileData): Promise<Event[]> {
  const before = await readEvents(service, name);
  await imported(service, data);
  return (await readEvents(service, name)).slice(before.length);
}

/** Returns the events that an import adds to those of no feature. */
function serviceEventsOf(data: FileData, token?: string): Promise<Event[]> {
  return serviceEventsAddedBy(service.table, () => imported(service, data, token === undefined ? {} : { token }));
}

const variants = [{ name: 'v', weight: 1000 }];
const full: FileData = {
  features: [{ name: 'recorded-parent' }, { name: 'recorded', description: 'All of it', stale: true }],
  featureStrategies: ['a', 'b'].map((title) => ({ name: 'default', featureName: 'recorded', title })),
  featureEnvironments: [{ name: 'recorded', enabled: true, variants }],
  featureTags: ['one', 'two'].map((tagValue) => ({ featureName: 'recorded', tagType: 'simple', tagValue })),
  dependencies: [{ feature: 'recorded', dependencies: [{ feature: 'recorded-parent' }] }],
};

describe('The events of a feature', () => {
  test('that an import creates tell of each step in Unleash’s order, with the tags of that moment', async () => {
    const events = await eventsOf('recorded', full);
    const feature = await readFeature(service, 'recorded');
    const [a, b] = (await readState(service, 'recorded')).strategies.map(
      ({ featureName: _feature, ...strategy }: { featureName: string }) => strategy,
    );
    const of = (type: string, rest: object) => ({
      id: expect.any(Number),
      createdAt: expect.any(String),
      type,
      createdBy: 'admin',
      createdByUserId: -42,
      environment: null,
      project: 'default',
      featureName: 'recorded',
      data: null,
      preData: null,
      tags: [simple('one'), simple('two')],
      ...rest,
    });
    const { environment } = place;
    const { name, description, type, project, stale, createdAt, impressionData, archivedAt, archived } = feature;
    expect(events).toEqual([
      of('feature-created', {
        data: {
          ...{ name, description, type, project, stale, createdAt, impressionData, archivedAt, archived },
          lastSeenAt: null,
        },
        tags: [],
      }),
      of('feature-environment-variants-updated', {
        environment,
        data: { variants },
        preData: { variants: [] },
        tags: [],
      }),
      of('feature-tagged', { data: simple('one'), tags: [simple('one')] }),
      of('feature-tagged', { data: simple('two') }),
      of('feature-strategy-add', { environment, data: a }),
      of('feature-strategy-add', { environment, data: b }),
      of('feature-environment-enabled', { environment }),
      of('feature-dependency-added', { data: { feature: 'recorded-parent', enabled: true, variants: [] } }),
    ]);
  });

  test('that an import overwrites tell of each step, and of what it takes away', async () => {
    await imported(service, full);
    const before = await readState(service, 'recorded');
    const events = await eventsOf('recorded', {
      features: [{ name: 'recorded', stale: false, description: null }],
      featureStrategies: [
        { name: 'default', featureName: 'recorded', title: 'b' },
        { name: 'default', featureName: 'recorded', title: 'c' },
      ],
      featureEnvironments: [{ name: 'recorded', enabled: false, variants: [] }],
      featureTags: [{ featureName: 'recorded', tagType: 'simple', tagValue: 'three' }],
    });
    expect(events).toMatchObject([
      {
        type: 'feature-metadata-updated',
        environment: null,
        data: { stale: false, description: null },
        preData: { stale: true, description: 'All of it' },
        tags: [simple('one'), simple('two')],
      },
      { type: 'feature-stale-off' },
      { type: 'feature-environment-variants-updated', data: { variants: [] }, preData: { variants } },
      { type: 'feature-untagged', data: null, preData: simple('one'), tags: [simple('two')] },
      { type: 'feature-untagged', data: null, preData: simple('two'), tags: [] },
      { type: 'feature-tagged', data: simple('three'), tags: [simple('three')] },
      { type: 'feature-strategy-remove', ...place, data: null, preData: { id: before.strategies[0].id, title: 'a' } },
      { type: 'feature-strategy-add', ...place, data: { title: 'c' }, preData: null },
      { type: 'strategy-order-changed', ...place },
      { type: 'feature-environment-disabled', ...place },
    ]);
  });

  test('tell of the default strategy that it is given', async () => {
    const data = { features: [{ name: 'recorded-on' }], featureEnvironments: [{ name: 'recorded-on', enabled: true }] };
    expect(await eventsOf('recorded-on', data)).toMatchObject([
      { type: 'feature-created' },
      { type: 'feature-strategy-add', data: { name: 'flexibleRollout', parameters: { groupId: 'recorded-on' } } },
      { type: 'feature-environment-enabled' },
    ]);
  });

  test('are none where the file brings nothing new for it, though it does for another', async () => {
    await imported(service, { features: [{ name: 'recorded-same' }] });
    expect(
      await eventsOf('recorded-same', { features: [{ name: 'recorded-same' }, { name: 'recorded-other' }] }),
    ).toEqual([]);
  });
});

describe('The events of an import that belong to no feature', () => {
  const shared: FileData = {
    features: [{ name: 'shares' }],
    tagTypes: [{ name: 'simple' }, { name: 'area', description: 'Which part', icon: 'A' }],
    featureTags: [
      { featureName: 'shares', tagType: 'area', tagValue: 'checkout' },
      { featureName: 'shares', tagType: 'simple', tagValue: 'shared' },
    ],
    contextFields: [
      { name: 'region', description: 'Which one', legalValues: [{ value: 'north' }] },
      { name: 'userId' },
    ],
  };

  test('tell of new tag types, tags and context fields in Unleash’s order, last of the import itself', async () => {
    const events = await serviceEventsOf(shared);
    expect(events).toMatchObject([
      { type: 'tag-type-created', data: { name: 'area', description: 'Which part', icon: 'A' } },
      { type: 'tag-created', data: { type: 'area', value: 'checkout' } },
      { type: 'tag-created', data: simple('shared') },
      { type: 'context-field-created', data: { name: 'region', legalValues: [{ value: 'north' }] } },
      { type: 'features-imported', ...place, data: null },
    ]);
    for (const event of events) expect(event).toMatchObject({ featureName: null, preData: null, tags: [] });
    const all = [...events, ...(await readEvents(service, 'shares'))].map(({ id }) => id);
    expect(Math.max(...all)).toBe(events.at(-1)?.id);
    expect(new Set(all).size).toBe(all.length);
  });

  test('are none, not even of the import, where nothing changed', async () => {
    const data = { ...shared, features: [{ name: 'shares-too' }], featureTags: [] };
    await imported(service, data);
    expect(await serviceEventsOf(data)).toEqual([]);
    expect(await serviceEventsOf({})).toEqual([]);
  });

  test('name who imported: the user’s e-mail and id', async () => {
    const token = await newTokenOf(service, { username: 'alice' });
    const data = { features: [{ name: 'by-alice' }], tagTypes: [{ name: 'alices' }] };
    const { body } = await service.get('/api/admin/user-admin/access');
    const { id } = body.users.find(({ username }: { username: string }) => username === 'alice');
    const author = { createdBy: 'alice@example.com', createdByUserId: id };
    expect(await serviceEventsOf(data, token)).toMatchObject([author, author]);
    expect(await readEvents(service, 'by-alice')).toMatchObject([author]);
  });
});
