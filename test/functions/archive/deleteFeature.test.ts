import { describe, expect, test } from 'vitest';
import * as featureKeys from '../../../lib/features/keys.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../lib/imports/seed/seed-store.ts';
import { queryAll } from '../../../lib/store/read.ts';
import {
  addFeaturesOn,
  enabledCounts,
  eventTypesOf,
  featureEventsOf,
  importFileParts,
  paths,
  readFeature,
  shopSeed,
  someOf,
} from '../../harness/features.ts';
import { snapshot } from '../../harness/items.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('deleteFeature', {
  route: 'DELETE /api/admin/archive/{featureName}',
  versionAt: 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'DELETE_FEATURE'),
  request: async (world) => ({
    params: (await world.feature({ archived: true, on: true })).place,
    project: world.home.projectId,
  }),
  others: {
    'with all that can belong to it': async (world) => ({
      params: (
        await world.feature({
          archived: true,
          description: 'x'.repeat(2_000),
          strategies: [{ name: await world.strategyType() }],
          variants: [{ name: 'blue', weight: 1000 }],
          tags: [{ type: 'simple', value: world.name('tag') }],
          parents: [(await world.feature()).name],
        })
      ).place,
      project: world.home.projectId,
    }),
  },
  again: 404,
  differs: '404 for a feature that is not archived; 409 while features depend on it, where Unleash answers 403',
  ofArchived: true,
});

describe('Deleting a feature', () => {
  const { service, world } = sharedWorld(shopSeed);
  const archive = (name: string) => world.ask('DELETE', paths.feature(name));
  const remove = (name: string) => service.call('DELETE', paths.deleted(name));
  const create = (name: string) => world.ask('POST', '/api/admin/projects/default/features', { name });
  const itemsOf = async (name: string) =>
    (await queryAll<{ sk: string }>(service.table, featureKeys.featureItems(name))).map(({ sk }) => sk);
  const referrersOf = async (name: string) =>
    (await snapshot(service.table)).filter(({ pk, sk }) => pk.startsWith('REFERRERS#') && sk.startsWith(`BY#${name}#`));

  test('takes all that belongs to it, and what counts it, but for its events', async () => {
    const counts = await enabledCounts(service);
    const segment = await world.segment({ name: 'to-be-freed' });
    const { name } = await world.feature({
      on: true,
      description: 'd'.repeat(2_000),
      strategies: [{ name: 'default' }],
      variants: [{ name: 'blue', weight: 1000 }],
      tags: [{ type: 'team', value: 'checkout' }],
    });
    await world.ask('POST', paths.strategies(name), { name: 'default', segments: [segment.id] });
    await addFeaturesOn(service, [name], { environment: 'production' });
    await archive(name);
    const before = await featureEventsOf(service, name);
    const { archivedAt } = await readFeature(service, name);

    expect(await remove(name)).toMatchObject({ status: 200, text: '' });
    expect((await service.get(paths.feature(name))).status).toBe(404);
    expect((await service.get(paths.archive())).body.features).not.toContainEqual(expect.objectContaining({ name }));
    expect(await enabledCounts(service)).toEqual(counts);
    expect((await service.call('DELETE', `/api/admin/segments/${segment.id}`)).status).toBe(204);
    expect(await itemsOf(name)).toEqual(['FEATURE']);

    const events = await featureEventsOf(service, name);
    expect(events.slice(0, -1)).toEqual(before);
    expect(events.at(-1)).toMatchObject({
      type: 'feature-deleted',
      project: 'default',
      data: null,
      preData: { name, archived: true, archivedAt, type: 'release' },
      tags: [{ type: 'team', value: 'checkout' }],
    });
  });

  test('leaves its name to a new feature with events and versions of its own', async () => {
    const { name } = await world.feature({ on: true, tags: [{ type: 'simple', value: 'old' }] });
    await archive(name);
    const { etag } = (await service.put(paths.feature(name))).headers;
    await remove(name);
    const old = await featureEventsOf(service, name);
    expect((await create(name)).body).toMatchObject({ tags: [], enabled: false, description: null });
    expect(await eventTypesOf(service, name)).toEqual(['feature-created']);
    const headers = { 'if-match': String(etag) };
    const late = await service.call('PUT', paths.feature(name), { headers, body: { stale: true } });
    expect(late.status).toBe(412);
    await world.ask('POST', paths.tags(name), { value: 'new' });

    const events = await featureEventsOf(service, name);
    expect(events.map(({ type }) => type)).toEqual(['feature-created', 'feature-tagged']);
    const page = await service.get(paths.events(name, `?before=${events[0]?.id}`));
    expect(page.body).toMatchObject({ totalEvents: old.length, events: old.toReversed() });
    const rest = await service.get(paths.events(name, `?before=${old[2]?.id}&limit=1`));
    expect(rest.body).toMatchObject({ totalEvents: old.length, events: [{ id: old[1]?.id }] });
    const own = await service.get(paths.events(name, `?before=${events[1]?.id}`));
    expect(own.body).toMatchObject({ totalEvents: 2, events: [{ id: events[0]?.id }] });
  });

  test('frees the features that it depends on', async () => {
    const parent = (await world.feature()).name;
    const child = (await world.feature({ parents: [parent] })).name;
    await service.put(paths.feature(child), { archived: true });
    expect((await readFeature(service, parent)).children).toEqual([child]);
    await remove(child);
    expect((await readFeature(service, parent)).children).toEqual([]);
  });

  test('is refused while another feature depends on it', async () => {
    const parent = (await world.feature()).name;
    await world.feature({ parents: [parent] });
    await service.put(paths.feature(parent), { archived: true });
    expect(await remove(parent)).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect(await readFeature(service, parent)).toMatchObject({ archived: true });
  });

  test('is refused of a live feature, and so is all else of a deleted one', async () => {
    const { name } = await world.feature();
    expect((await remove(name)).status).toBe(404);
    await archive(name);
    await remove(name);
    for (const answer of [
      await service.post(paths.revived(name)),
      await service.put(paths.feature(name), {}),
      await service.post(paths.tags(name), { value: 'late' }),
      await service.post(paths.off(), { features: [name] }),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await eventTypesOf(service, name)).at(-1)).toBe('feature-deleted');
  });

  test('deletes one with more segments in use than a transaction could free, once nothing refuses it', async () => {
    const name = world.name('feature');
    const segments = Array.from({ length: 60 }, (_, index) => ({ id: 100 + index, name: `freed-${index}` }));
    await seedStore(service.table, readSeed({ segments }));
    const places = [0, 5, 10, 15, 20, 25];
    const fives = (of: typeof segments) => places.map((from) => of.slice(from, from + 5).map(({ id }) => id));
    const [first, second] = [segments.slice(0, 30), segments.slice(30)];
    for (const environment of ['development', 'production']) {
      const featureStrategies = fives(first).map((ids) => ({ name: 'default', featureName: name, segments: ids }));
      await importFileParts(service, { features: [{ name }], featureStrategies, segments: first }, { environment });
      for (const ids of fives(second)) {
        await world.ask('POST', paths.strategies(name, environment), { name: 'default', segments: ids });
      }
    }
    expect(await referrersOf(name)).toHaveLength(120);
    await archive(name);
    const { text, headers } = await service.put(paths.feature(name));
    const refused = [
      [{ authorization: await world.token({ rootRole: 'Viewer' }) }, 403],
      [{ 'if-match': '"1"' }, 412],
    ] as const;
    for (const [given, status] of refused) {
      expect((await service.call('DELETE', paths.deleted(name), { headers: given })).status).toBe(status);
      expect((await service.put(paths.feature(name))).text).toBe(text);
    }
    const expected = { 'if-match': String(headers.etag) };
    expect((await service.call('DELETE', paths.deleted(name), { headers: expected })).status).toBe(200);
    expect(await itemsOf(name)).toEqual(['FEATURE']);
    expect(await referrersOf(name)).toEqual([]);
    for (const { id } of someOf(segments, 4)) {
      expect((await service.call('DELETE', `/api/admin/segments/${id}`)).status).toBe(204);
    }
    expect((await eventTypesOf(service, name)).at(-1)).toBe('feature-deleted');
  });

  test('deletes one with strategies or variants in more environments than a transaction could free', async () => {
    const environments: string[] = [];
    while (environments.length < 46) environments.push(await world.environment());
    const project = await world.project({ environments });
    const [first = '', second = ''] = await world.featureNames(2, { project, environment: environments[0] as string });
    for (const environment of environments) {
      await world.ask('POST', `${paths.feature(first, project)}/environments/${environment}/strategies`, {
        name: 'default',
      });
    }
    const variants = [{ name: 'blue', weight: 1000 }];
    await world.ask('PUT', `${paths.feature(second, project)}/variants-batch`, { environments, variants });
    for (const name of [first, second]) {
      await world.ask('DELETE', paths.feature(name, project));
      expect((await remove(name)).status).toBe(200);
      expect(await itemsOf(name)).toEqual(['FEATURE']);
    }
    expect(await eventTypesOf(service, first)).not.toContain('feature-environment-variants-updated');
  });

  test('and creating it at the same time end with one feature, whose events begin with it', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { name } = await world.feature({ archived: true });
      const creating = async () => {
        for (;;) {
          const answer = await service.post('/api/admin/projects/default/features', { name });
          if (answer.status === 201) return;
          expect(answer.status).toBe(409);
        }
      };
      await Promise.all([creating(), remove(name)]);
      expect(await eventTypesOf(service, name)).toEqual(['feature-created']);
    }
  });
});
