import { describe, expect, test } from 'vitest';
import {
  enabledCounts,
  eventsAddedBy,
  eventTypesOf,
  frequencies,
  paths,
  readFeature,
  shopSeed,
} from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('archiveFeature', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'DELETE_FEATURE'),
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  others: {
    'with a parent': async (world) => ({
      params: (await world.feature({ parents: [(await world.feature()).name] })).place,
    }),
  },
  again: 404,
  differs: '409 while features depend on it, where Unleash answers 403',
});

describe('Archiving a feature', () => {
  const { service, world } = sharedWorld(shopSeed);
  const archive = (name: string, project?: string) => service.call('DELETE', paths.feature(name, project));

  test('answers an empty 202 and shows it in the archive, with all that it was', async () => {
    const { name } = await world.feature({ on: true, tags: [{ type: 'team', value: 'checkout' }] });
    const before = await readFeature(service, name);
    const counts = await enabledCounts(service);
    const events = await eventsAddedBy(service, name, async () => {
      expect(await archive(name)).toMatchObject({ status: 202, text: '' });
    });
    expect(events).toMatchObject([
      { type: 'feature-archived', project: 'default', environment: null, data: null, preData: null },
    ]);
    const { archivedAt } = (await readFeature(service, name)) as { archivedAt: string };
    expect(archivedAt).toBe(events[0]?.createdAt);
    expect(await readFeature(service, name)).toEqual({
      ...before,
      archived: true,
      archivedAt,
      lifecycle: { stage: 'archived', enteredStageAt: archivedAt },
    });
    const { body } = await service.get(paths.archive());
    expect(body.features[0]).toMatchObject({ name, archivedAt });
    expect(await enabledCounts(service)).toEqual(counts);
  });

  test('ends its dependencies on others', async () => {
    const parent = (await world.feature()).name;
    const child = (await world.feature({ parents: [parent] })).name;
    const events = await eventsAddedBy(service, child, () => archive(child));
    expect(events.map(({ type }) => type)).toEqual(['feature-dependencies-removed', 'feature-archived']);
    expect(await readFeature(service, child)).toMatchObject({ dependencies: [] });
    expect(await readFeature(service, parent)).toMatchObject({ children: [] });
    expect((await archive(parent)).status).toBe(202);
  });

  test('is refused while another feature depends on it', async () => {
    const parent = (await world.feature()).name;
    await world.features(2, { parents: [parent] });
    const answer = await archive(parent);
    expect(answer).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect(answer.body.message).toContain(parent);
    expect(await readFeature(service, parent)).toMatchObject({ archived: false });
    expect(await eventTypesOf(service, parent)).toEqual(['feature-created']);
  });

  test('and depending on it at the same time do not both succeed', async () => {
    for (let round = 0; round < 2; round += 1) {
      const [parent, child] = (await world.featureNames(2)) as [string, string];
      const depend = {
        project: 'default',
        environment: 'development',
        data: {
          features: [{ name: child }],
          featureStrategies: [],
          tagTypes: [],
          dependencies: [{ feature: child, dependencies: [{ feature: parent }] }],
        },
      };
      const answers = await Promise.all([archive(parent), service.post('/api/admin/features-batch/import', depend)]);
      const statuses = answers.map(({ status }) => status);
      expect([
        [202, 400],
        [409, 200],
      ]).toContainEqual(statuses);
      const { archived, children } = await readFeature(service, parent);
      expect(children).toEqual(archived ? [] : [child]);
    }
  });

  test('happens once where three do it at once', async () => {
    const { name } = await world.feature();
    const answers = await Promise.all(Array.from({ length: 3 }, () => archive(name)));
    expect(frequencies(answers.map(({ status }) => status))).toEqual({ 202: 1, 404: 2 });
    expect(await eventTypesOf(service, name)).toEqual(['feature-created', 'feature-archived']);
  });
});
