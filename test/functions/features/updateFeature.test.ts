import { describe, expect, test } from 'vitest';
import {
  addFeatures,
  addFeaturesOn,
  enabledCounts,
  eventsAddedBy,
  eventTypesOf,
  featureEventsOf,
  featureMaker,
  frequencies,
  importFileParts,
  paths,
  problemPaths,
  readFeature,
  shopSeed,
} from '../../harness/features.ts';
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

specify('updateFeature', {
  route: 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => {
    const { name, place } = await world.feature();
    const body = {
      name,
      description: 'Rewritten',
      type: 'experiment',
      stale: true,
      archived: false,
      impressionData: true,
    };
    return { params: place, body };
  },
  others: {
    archive: async (world) => ({ params: (await world.feature({ on: true })).place, body: { archived: true } }),
    revive: async (world) => ({ params: (await world.feature({ archived: true })).place, body: { archived: false } }),
  },
  nullable: ['description'],
  ofArchived: true,
});

const service = sharedService(shopSeed);

const newFeature = featureMaker(() => service);

const update = (name: string, body: unknown, project?: string) => service.put(paths.feature(name, project), body);

describe('Updating a feature', () => {
  // test/lib/features/feature.test.ts has every property.
  test('answers the complete feature with all environments of its project', async () => {
    await addFeatures(service, ['parent'], { project: 'shop' });
    const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default', overrides: [] };
    const parts = {
      features: [{ name: 'complete', type: 'experiment', description: 'All of it', impressionData: true }],
      featureStrategies: [
        { name: 'default', featureName: 'complete', sortOrder: 5 },
        { name: 'flexibleRollout', featureName: 'complete', sortOrder: 1, title: 'First', disabled: true },
      ],
      featureEnvironments: [{ featureName: 'complete', name: 'staging', enabled: true, variants: [variant] }],
      featureTags: [{ featureName: 'complete', tagType: 'team', tagValue: 'checkout' }],
      tagTypes: [],
      dependencies: [{ feature: 'complete', dependencies: [{ feature: 'parent', enabled: false }] }],
    };
    await importFileParts(service, parts, { project: 'shop', environment: 'staging' });
    expect(await readFeature(service, 'parent', 'shop')).toMatchObject({ children: ['complete'], dependencies: [] });

    const { status, body } = await update('complete', { stale: true }, 'shop');
    expect([status, body]).toMatchObject([
      200,
      {
        ...parts.features[0],
        project: 'shop',
        enabled: true,
        stale: true,
        variants: [variant],
        tags: [{ type: 'team', value: 'checkout' }],
        dependencies: [{ feature: 'parent', enabled: false }],
        environments: [
          { name: 'development', enabled: false, strategies: [], variants: [] },
          { name: 'staging', type: 'preproduction', enabled: true, variants: [variant] },
        ],
      },
    ]);
    expect(body.environments[1].strategies).toMatchObject([
      { title: 'First', disabled: true, parameters: { rollout: '100', stickiness: 'userId', groupId: 'complete' } },
      { name: 'default', title: null, sortOrder: 5 },
    ]);
    expect(await readFeature(service, 'complete', 'shop')).toEqual(body);
  });

  test('changes all given fields at once, with one metadata event and one for each of the others', async () => {
    const name = await newFeature();
    const wanted = { description: 'All', type: 'permission', stale: true, archived: true, impressionData: true };
    const events = await eventsAddedBy(service, name, async () => {
      expect(await update(name, wanted)).toMatchObject({ status: 200, body: wanted });
    });
    expect(events.map(({ type }) => type)).toEqual([
      'feature-metadata-updated',
      'feature-stale-on',
      'feature-archived',
    ]);
    expect(new Set(events.map(({ createdAt }) => createdAt)).size).toBe(1);
  });

  // test/lib/features/items/updated-feature.test.ts has more that comes to nothing.
  test('writes no event for what it is already, nor for what cannot be changed', async () => {
    const name = await newFeature();
    const before = await readFeature(service, name);
    const same = { name, stale: false, archived: false, impressionData: false, type: 'release', description: null };
    const others = { project: 'shop', enabled: true, createdAt: 'now', tags: [], lifecycle: { stage: 'live' } };
    const events = await eventsAddedBy(service, name, async () => {
      for (const body of [same, others]) expect(await update(name, body)).toMatchObject({ status: 200, body: before });
    });
    expect(events).toEqual([]);
  });

  test('archives a feature and revives it, with its times, stages and events', async () => {
    const name = await newFeature();
    const before = new Date().toISOString();
    const { body } = await update(name, { archived: true });
    expect(body.archived).toBe(true);
    expect(body.archivedAt >= before && body.archivedAt <= new Date().toISOString()).toBe(true);
    expect(body.lifecycle).toEqual({ stage: 'archived', enteredStageAt: body.archivedAt });
    expect(await readFeature(service, name)).toEqual(body);

    const revived = await update(name, { archived: false });
    expect(revived.body).toMatchObject({ archived: false, archivedAt: null, lifecycle: { stage: 'initial' } });
    expect(revived.body.lifecycle.enteredStageAt >= body.archivedAt).toBe(true);
    expect(await eventTypesOf(service, name)).toEqual([
      'feature-created',
      'feature-metadata-updated',
      'feature-archived',
      'feature-metadata-updated',
      'feature-revived',
    ]);
    const [archived, , revival] = (await featureEventsOf(service, name)).slice(1);
    expect(archived?.data).toMatchObject({ archived: true, archivedAt: body.archivedAt });
    expect(revival?.data).toMatchObject({ archived: false, archivedAt: null });
  });

  test('refuses another name, even together with a change, and changes nothing', async () => {
    const name = await newFeature();
    const events = await eventsAddedBy(service, name, async () => {
      expect(problemPaths(await update(name, { name: 'other', description: 'x' }))).toEqual(['name']);
      expect(problemPaths(await update(name, { name: name.toUpperCase() }))).toEqual(['name']);
      expect(problemPaths(await update(name, { name: '' }))).toEqual(['name']);
    });
    expect(events).toEqual([]);
  });

  test('takes its turn among changes of all kinds at the same time, each with its events', async () => {
    await addFeaturesOn(service, ['busy']);
    const before = await enabledCounts(service);
    const events = await eventsAddedBy(service, 'busy', async () => {
      const answers = await Promise.all([
        ...[1, 2].map((n) => update('busy', { description: `words ${n}` })),
        ...[1, 2].map((n) => service.post(paths.tags('busy'), { value: `tag ${n}` })),
        ...[1, 2].map(() => service.post(paths.strategies('busy'), { name: 'default' })),
        ...[1, 2].map(() => service.post(paths.off(), { features: ['busy'] })),
      ]);
      expect(answers.map(({ status }) => status).every((status) => status < 300)).toBe(true);
    });
    expect(frequencies(events.map(({ type }) => type))).toEqual({
      'feature-metadata-updated': 2,
      'feature-tagged': 2,
      'feature-strategy-add': 2,
      'feature-environment-disabled': 1,
    });
    const { tags, environments } = await readFeature(service, 'busy');
    expect(tags).toHaveLength(2);
    expect(environments[0]).toMatchObject({ enabled: false, strategies: { length: 3 } });
    expect(await enabledCounts(service)).toEqual({ ...before, development: Number(before.development) - 1 });
  });
});
