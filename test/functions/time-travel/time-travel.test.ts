import { describe, expect } from 'vitest';
import { readDelivered } from '../../harness/delivered.ts';
import { paths } from '../../harness/features.ts';
import type { MadeFeature } from '../../harness/world.ts';
import { sharedWorld, specify, test } from '../../specifications/specify.ts';

specify('getFeatureThen', {
  route: 'GET /api/admin/projects/{projectId}/features/{featureName}/then',
  may: 'any token',
  request: async (world) => {
    const { place } = await world.feature();
    return { params: place, query: { at: '2099-12-31T12:00:00Z' } };
  },
  ofArchived: true,
  waits: 3,
});

describe('A feature at a moment', () => {
  const { service, world } = sharedWorld();
  const environment = 'development';

  /** Keeps the delivered feature after each step, and compares it with the one that is rebuilt for that moment. */
  function follow({ name, place }: Pick<MadeFeature, 'name' | 'place'>) {
    const steps: { readonly step: string; readonly moments: readonly string[]; readonly expected: unknown }[] = [];
    const path = paths.feature(name, place.projectId);
    const record = async (step: string) => {
      const { features, segments } = await readDelivered(service.table, environment);
      const { body } = await service.get(`/api/admin/events/${name}?limit=1`);
      const [last] = body.events;
      const feature = features.get(name) ?? null;
      const used = new Set(feature?.strategies.flatMap(({ segments: ids = [] }) => ids));
      const expected = [step, feature, [...segments.values()].filter(({ id }) => used.has(id)), true];
      // A segment that changes later shares the event with the step before.
      steps.push({ step, moments: [await nextMillisecond(), `after:${last.id}`], expected });
    };
    const ask = async (step: string, method: string, target: string, body?: unknown) => {
      const reply = await service.call(method, target, { body });
      expect([step, reply.status < 300, reply.body?.message]).toEqual([step, true, undefined]);
      await record(step);
      return reply.body;
    };
    const compare = async (only: 'times' | 'events') => {
      for (const { step, moments, expected } of steps) {
        const { state, exact } = (await service.get(`${path}/then?at=${moments[only === 'times' ? 0 : 1]}`)).body;
        const own = state?.environments.find((each: { name: string }) => each.name === environment);
        const delivered = own?.delivered ?? null;
        expect([step, delivered, delivered === null ? [] : state.segments, exact]).toEqual(expected);
      }
    };
    return { path, ask, record, compare };
  }

  /** Returns the present time, once it has passed, so that nothing else happens in its millisecond. */
  async function nextMillisecond(): Promise<string> {
    const now = Date.now();
    while (Date.now() === now) await new Promise(setImmediate);
    return new Date(now).toISOString();
  }

  test('is what SDKs got then, after each kind of change', async () => {
    const feature = await world.feature();
    const [one, other] = [await world.segment(), await world.segment()];
    const [parent, second] = await world.featureNames(2);
    const { path, ask, compare, record } = follow(feature);
    await record('created');
    const strategies = `${path}/environments/${environment}/strategies`;
    const add = (step: string, body: object) => ask(step, 'POST', strategies, { name: 'default', ...body });
    const first = await add('a strategy', { segments: [one.id], sortOrder: 1 });
    const tied = await add('another at the same position', { sortOrder: 1, parameters: { tied: 'yes' } });
    await add('a third at the same position', { sortOrder: 1, parameters: { third: 'yes' } });
    await ask('on', 'POST', `${path}/environments/${environment}/on`);
    await ask('moved up', 'PATCH', `${strategies}/${tied.id}`, [{ op: 'replace', path: '/sortOrder', value: 0 }]);
    await ask('moved back', 'PATCH', `${strategies}/${tied.id}`, [{ op: 'replace', path: '/sortOrder', value: 1 }]);
    await ask('removed', 'DELETE', `${strategies}/${tied.id}`);
    await ask('reordered', 'POST', `${strategies}/set-sort-order`, [{ id: first.id, sortOrder: 9 }]);
    await ask('updated', 'PUT', `${strategies}/${first.id}`, { name: 'default', segments: [one.id, other.id] });
    await ask('disabled', 'PATCH', `${strategies}/${first.id}`, [{ op: 'replace', path: '/disabled', value: true }]);
    await ask('variants', 'PUT', `${path}/environments/${environment}/variants`, [
      { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' },
    ]);
    await ask('a parent', 'POST', `${path}/dependencies`, { feature: parent });
    await ask('with a variant', 'POST', `${path}/dependencies`, { feature: parent, variants: ['blue'] });
    await ask('another parent', 'POST', `${path}/dependencies`, { feature: second, enabled: false });
    await ask('none', 'DELETE', `${path}/dependencies/${second}`);
    await ask('a parent again', 'POST', `${path}/dependencies`, { feature: parent });
    await ask('fields', 'PUT', path, { description: 'New', type: 'experiment', impressionData: true, stale: true });
    await ask('off', 'POST', `${path}/environments/${environment}/off`);
    await ask('archived', 'DELETE', path);
    await ask('revived', 'POST', `/api/admin/archive/revive/${feature.name}`);
    await ask('on again', 'POST', `${path}/environments/${environment}/on`);
    await ask('archived again', 'DELETE', path);
    await ask('deleted', 'DELETE', `/api/admin/archive/${feature.name}`);
    await compare('events');
    await compare('times');
  });
});
