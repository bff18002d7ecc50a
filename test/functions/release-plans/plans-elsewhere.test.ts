import { describe, expect } from 'vitest';
import { suspendSchedules } from '../../../lib/change-requests/schedules/suspension.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { changeFeature } from '../../../lib/features/change-feature.ts';
import { environmentOfFeature, withFeatureEnvironment } from '../../../lib/features/feature.ts';
import { featureStale } from '../../../lib/features/feature-events.ts';
import { loadFeature } from '../../../lib/features/feature-store.ts';
import type { Safeguard } from '../../../lib/features/plans/safeguard-schema.ts';
import { requireFeature } from '../../../lib/features/require-feature.ts';
import { startDueMilestones } from '../../../lib/release-plans/start-due-milestones.ts';
import { eventsAddedBy, eventTypesOf, paths, readState } from '../../harness/features.ts';
import { importOf, importPath } from '../../harness/import-file.ts';
import { contentOf } from '../../harness/items.ts';
import { hourly, makePlanned, makeTemplate, share } from '../../harness/release-plans.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { test, worldForEach } from '../../specifications/specify.ts';

describe('A release plan in other operations', () => {
  const { service, world } = worldForEach();
  const remove = (path: string) => service.call('DELETE', path);
  const removeTemplate = async (id: string) =>
    expect((await remove(`/api/admin/release-plan-templates/${id}`)).status).toBe(204);
  const runClock = (minutes: number) =>
    startDueMilestones({ ...service.table, effectsOf: suspendSchedules }, new Date(Date.now() + minutes * 60_000));
  const planOf = async (name: string, ...place: string[]) => (await readState(service, name, ...place)).releasePlans[0];
  /** Milestones of which the second one uses a segment. */
  const withSegment = (id: number) => [
    hourly('Few', share('10')),
    { name: 'All', strategies: [share('100', { segments: [id] })] },
  ];

  test('shows its progress in searches and in the list of the console, and is counted', async () => {
    const running = await makePlanned(world);
    const waiting = await makePlanned(world, { on: false });
    const bare = await world.feature();
    const progressIn = (features: readonly { name: string; environments: readonly { name: string }[] }[]) =>
      [running, waiting, bare].map(({ name, place }) =>
        features
          .find((feature) => feature.name === name)
          ?.environments.find((environment) => environment.name === place.environment),
      );
    const started = { milestoneName: 'Few', milestoneOrder: 0, totalMilestones: 2 };
    const lists = [
      (await service.get('/api/admin/search/features')).body,
      (await service.get('/api/admin/console/flags')).body,
    ];
    for (const features of lists.map((body) => body.features ?? body.flags)) {
      const [first, second, third] = progressIn(features);
      expect(first).toMatchObject(started);
      expect(second).toMatchObject({ totalMilestones: 2 });
      expect(second).not.toHaveProperty('milestoneName');
      expect(third).not.toHaveProperty('totalMilestones');
    }
    expect((await service.get('/api/admin/instance-admin/statistics')).body).toMatchObject({ releasePlans: 2 });
  });

  test('is beside a strategy of the feature that serves everybody, which the list of the console knows', async () => {
    const { name, place } = await makePlanned(world);
    const strategies = `${paths.feature(name)}/environments/${place.environment}/strategies`;
    const state = async () => {
      const { body } = await service.get('/api/admin/console/flags');
      const flag = body.flags.find((each: { name: string }) => each.name === name);
      return flag.environments.find((each: { name: string }) => each.name === place.environment).isForEverybody;
    };
    // The one that it got when it was switched on.
    const { body } = await service.get(strategies);
    expect(await state()).toBe(true);
    const change = (strategy: object) => service.put(`${strategies}/${body.at(-1).id}`, strategy);
    await change(share('99'));
    expect(await state()).toBeUndefined();
    await change({ name: 'default' });
    expect(await state()).toBe(true);
    await change({ name: 'default', disabled: true });
    expect(await state()).toBeUndefined();
  });

  test('moves with its feature, unless a later milestone uses a segment of the old project', async () => {
    const to = await world.project({ environments: ['development', 'production'] });
    const move = (name: string) => service.post(`${paths.feature(name)}/changeProject`, { newProjectId: to });
    const { id } = await world.segment({ project: 'default' });
    const bound = await makePlanned(world, { milestones: withSegment(id), templateOf: 'default' });
    const refused = await move(bound.name);
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body.details)).toContain(`It uses the segment ${id}`);
    const { name, plan } = await makePlanned(world);
    expect((await move(name)).status).toBe(200);
    await runClock(61);
    expect((await planOf(name, 'development', to)).activeMilestoneId).toBe(plan.milestones[1]?.id);
  });

  test('is paused by a revival that takes a deleted segment from a later milestone', async () => {
    const { id } = await world.segment();
    const { name, plan, templateId } = await makePlanned(world, { milestones: withSegment(id) });
    await remove(paths.feature(name));
    await runClock(1_000);
    await removeTemplate(templateId);
    expect((await remove(`/api/admin/segments/${id}`)).status).toBe(204);
    const events = await eventsAddedBy(service, name, () => service.post(paths.revived(name)));
    expect(events.map(({ type }) => type)).toContain('release-plan-progressions-paused');
    await service.post(paths.switch(name, 'on'));
    await runClock(1_000);
    const revived = await planOf(name);
    expect(revived).toMatchObject({ activeMilestoneId: plan.milestones[0]?.id, nextAt: null });
    expect(revived.milestones[1].strategies).toMatchObject([{ segments: [] }]);
  });

  test('is paused anew by such a revival if it was moved on during a pause', async () => {
    const { id } = await world.segment();
    const { name, plan, path, templateId } = await makePlanned(world, { milestones: withSegment(id) });
    await service.post(`${path.replace('release-plans', 'progressions')}/${plan.id}/pause`);
    await service.post(`${path}/${plan.id}/milestones/${plan.milestones[1]?.id}/start`);
    await remove(paths.feature(name));
    await removeTemplate(templateId);
    expect((await remove(`/api/admin/segments/${id}`)).status).toBe(204);
    const events = await eventsAddedBy(service, name, () => service.post(paths.revived(name)));
    expect(events.map(({ type }) => type)).toContain('release-plan-progressions-paused');
    expect(problemsOf(await contentOf(service.table))).toEqual([]);
  });

  test('is deleted with its feature, however much its milestones refer to', async () => {
    const ids = [];
    for (let index = 0; index < 10; index += 1) ids.push((await world.segment()).id);
    const milestones = [ids.slice(0, 5), ids.slice(5)].map((segments, index) => ({
      ...{ name: `Part ${index}`, strategies: [share('10', { segments })] },
    }));
    const { name, templateId } = await makePlanned(world, { milestones });
    for (const segments of [ids.slice(0, 5), ids.slice(5)]) {
      await service.post(paths.strategies(name, 'production'), { name: 'default', segments });
    }
    await remove(paths.feature(name));
    expect((await remove(paths.deleted(name))).status).toBe(200);
    await removeTemplate(templateId);
    for (const id of ids) expect((await remove(`/api/admin/segments/${id}`)).status).toBe(204);
  });

  test('goes with its environment, and so do safeguards alone', async () => {
    const environment = await world.environment();
    const add = () =>
      service.post(`/api/admin/projects/default/environments`, { environment, changeRequestsEnabled: false });
    expect((await add()).status).toBe(200);
    const { name } = await makePlanned(world, { environment });
    const guarded = await world.feature();
    await guard(guarded.name, environment);
    expect((await readState(service, guarded.name, environment)).safeguards).toHaveLength(1);
    expect((await remove(`/api/admin/environments/${environment}`)).status).toBe(200);
    await service.post('/api/admin/environments', { name: environment, type: 'test' });
    await add();
    for (const each of [name, guarded.name]) {
      expect(await readState(service, each, environment)).toMatchObject({ releasePlans: [], safeguards: [] });
    }
    expect(await eventTypesOf(service, name)).toContain('release-plan-removed');
  });

  test('stays when its environment leaves the project, and stands still meanwhile', async () => {
    const { name, plan } = await makePlanned(world);
    const environments = '/api/admin/projects/default/environments';
    expect((await remove(`${environments}/development`)).status).toBe(200);
    await runClock(1_000);
    expect((await service.post(environments, { environment: 'development' })).status).toBe(200);
    await service.post(paths.switch(name, 'on'));
    expect(await planOf(name)).toMatchObject({ id: plan.id, activeMilestoneId: plan.milestones[0]?.id });
    await runClock(61);
    expect((await planOf(name)).activeMilestoneId).toBe(plan.milestones[1]?.id);
  });

  test('lives in a copy of its environment as the strategies that are live now', async () => {
    const { name } = await makePlanned(world);
    await guard(name, 'development');
    const copy = await world.name('environment');
    const cloned = await service.post('/api/admin/environments/development/clone', { name: copy, type: 'test' });
    expect(cloned.status).toBe(201);
    const state = await readState(service, name, copy);
    expect(state).toMatchObject({ enabled: true, releasePlans: [], safeguards: [] });
    expect(state.strategies.map(({ parameters }: { parameters: object }) => parameters)).toMatchObject([
      { rollout: '10' },
      {},
    ]);
  });

  test('stays when its feature is imported, which replaces only the other strategies and starts it', async () => {
    const { name, plan } = await makePlanned(world, { on: false });
    const file = importOf([{ name, enabled: true, strategies: [] }]);
    const checked = await service.post('/api/admin/features-batch/validate', file);
    expect(checked.body.warnings).toContainEqual({
      message: expect.stringContaining('have a release plan here, which stays'),
      affectedItems: [name],
    });
    expect((await service.post(importPath, file)).status).toBe(200);
    const state = await readState(service, name);
    expect(state).toMatchObject({ enabled: true, strategies: [], hasEnabledStrategies: true });
    expect(state.releasePlans).toMatchObject([{ id: plan.id, activeMilestoneId: plan.milestones[0]?.id }]);
    // The file is complete, so that a repeat changes nothing.
    expect(await eventsAddedBy(service, name, () => service.post(importPath, file))).toEqual([]);
  });

  test('is previewed with the strategies and the start of each milestone', async () => {
    const milestones = [
      hourly('Few', share('10')),
      hourly('Half', share('50')),
      { name: 'All', strategies: [share('100')] },
    ];
    const { plan, path } = await makePlanned(world, { milestones });
    const preview = async (query = '') => (await service.get(`${path}/${plan.id}/preview${query}`)).body;
    const rolloutsOf = (shown: { strategies: { parameters: { rollout?: string } }[] }) =>
      shown.strategies.map(({ parameters }) => parameters.rollout);
    const now = await preview();
    expect(now.activeMilestoneId).toBe(plan.milestones[0]?.id);
    expect(now.milestones.map(rolloutsOf)).toEqual([
      ['10', '100'],
      ['50', '100'],
      ['100', '100'],
    ]);
    const starts = now.milestones.map(({ startsAt }: { startsAt: string }) => Date.parse(startsAt));
    expect(starts.map((start: number) => start - starts[0])).toEqual([0, 3_600_000, 7_200_000]);
    const activeAt = async (time: number) => (await preview(`?at=${new Date(time).toISOString()}`)).activeMilestoneId;
    expect(await activeAt(starts[1] - 1)).toBe(plan.milestones[0]?.id);
    expect(await activeAt(starts[1])).toBe(plan.milestones[1]?.id);
    expect(await activeAt(starts[2])).toBe(plan.milestones[2]?.id);
    await service.post(`${path.replace('release-plans', 'progressions')}/${plan.id}/pause`);
    expect((await preview()).milestones).toMatchObject([{}, { startsAt: null }, { startsAt: null }]);
    await service.post(`${path}/${plan.id}/milestones/${plan.milestones[1]?.id}/start`);
    expect((await preview('?at=2020-01-01T00:00:00Z')).activeMilestoneId).toBe(plan.milestones[1]?.id);
    expect(await service.get(`${path}/${plan.id}/preview?at=soon`)).toMatchObject({ status: 400 });
  });

  test('is tried in the playground at any of its milestones', async () => {
    const { name, place, plan } = await makePlanned(world, {
      milestones: [hourly('None', share('0')), { name: 'All', strategies: [share('100')] }],
      strategies: [{ name: 'userWithId', parameters: { userIds: 'nobody' } }],
    });
    const isOn = async (milestones?: object[]) => {
      const { body } = await service.post('/api/admin/playground/advanced', {
        ...{ environments: [place.environment], context: { appName: 'test', userId: 'anna' } },
        ...(milestones && { milestones }),
      });
      const feature = body.features.find((each: { name: string }) => each.name === name);
      return feature.environments[place.environment][0].isEnabled;
    };
    const at = (milestoneId: string | undefined) => [
      { featureName: name, environment: place.environment, milestoneId },
    ];
    expect(await isOn()).toBe(false);
    expect(await isOn(at(plan.milestones[1]?.id))).toBe(true);
    expect(await isOn(at(plan.milestones[0]?.id))).toBe(false);
    const unknown = await service.post('/api/admin/playground/advanced', {
      ...{ environments: [place.environment], context: { appName: 'test' }, milestones: at('unknown') },
    });
    expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: 'milestones.0.milestoneId' }] } });
  });

  test('keeps its template from being deleted while its feature is live', async () => {
    const first = await makePlanned(world);
    const path = `/api/admin/release-plan-templates/${first.templateId}`;
    const refused = await remove(path);
    expect(refused).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect(refused.body.message).toContain(`the feature "${first.name}" in "development"`);
    // A plan from another template replaces it.
    const other = await makeTemplate(world);
    expect((await service.post(first.path, { templateId: other })).status).toBe(200);
    await removeTemplate(first.templateId);
    expect((await remove(`/api/admin/release-plan-templates/${other}`)).status).toBe(409);
    await remove(paths.feature(first.name));
    await removeTemplate(other);
    expect((await service.post(paths.revived(first.name))).status).toBe(200);
    const { id } = await planOf(first.name);
    expect((await remove(`${first.path}/${id}`)).status).toBe(204);
  });

  test('frees its template when it is removed, or when its feature is deleted', async () => {
    const removed = await makePlanned(world);
    await remove(`${removed.path}/${removed.plan.id}`);
    await removeTemplate(removed.templateId);
    const deleted = await makePlanned(world);
    await remove(paths.feature(deleted.name));
    await remove(paths.deleted(deleted.name));
    await removeTemplate(deleted.templateId);
  });

  test('does not keep the project of its template from being deleted after its feature has moved elsewhere', async () => {
    const environments = ['development', 'production'];
    const project = await world.project({ environments });
    const { name, plan } = await makePlanned(world, { project, templateOf: project });
    const moved = await service.post(`${paths.feature(name, project)}/changeProject`, { newProjectId: 'default' });
    expect(moved.status).toBe(200);
    await remove(`/api/admin/projects/${project}`);
    expect((await service.get(`/api/admin/projects/${project}/overview`)).status).toBe(404);
    await runClock(61);
    expect(await planOf(name)).toMatchObject({ id: plan.id, activeMilestoneId: plan.milestones[1]?.id });
  });

  test('with the most references is added, replaces another one with as many and the most safeguards, and is removed', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 29; index += 1) ids.push((await world.segment()).id);
    const using = (segments: readonly number[]) =>
      [0, 5, 10].map((from) => ({
        ...{ name: `From ${from}`, strategies: [share('10', { segments: segments.slice(from, from + 5) })] },
      }));
    const { name, path, plan } = await makePlanned(world, { milestones: using(ids.slice(0, 14)) });
    for (let index = 0; index < 10; index += 1) {
      await world.ask('PUT', `${path}/${plan.id}/safeguards`, {
        id: `signal-${index}`,
        impactMetric: { metricName: 'signal', timeRange: 'hour', aggregationMode: 'count' },
        triggerCondition: { operator: '>', threshold: 0 },
      });
    }
    const templateId = await makeTemplate(world, using(ids.slice(14, 28)));
    const replaced = await service.call('POST', path, {
      headers: { 'idempotency-key': 'a-replacement-that-is-as-large-as-can-be' },
      body: { templateId },
    });
    expect([replaced.status, replaced.body.message]).toEqual([200, undefined]);
    const tooLarge = await makeTemplate(world, using(ids.slice(0, 15)));
    expect((await service.post(path, { templateId: tooLarge })).body.details).toMatchObject([
      { message: expect.stringContaining('at most 14 segments') },
    ]);
    expect((await remove(`${path}/${(await planOf(name)).id}`)).status).toBe(204);
  });

  /** Gives a feature a safeguard in an environment. */
  async function guard(name: string, environment: string) {
    const safeguard: Safeguard = {
      id: world.name('safeguard'),
      impactMetric: {
        ...{ id: 'errors', metricName: 'errors', timeRange: 'hour', aggregationMode: 'sum', labelSelectors: {} },
      },
      triggerCondition: { operator: '>', threshold: 10 },
      action: { type: 'disableFeatureEnvironment' },
    };
    await changeFeature({ ...service.table, effectsOf: suspendSchedules }, systemUser, {
      name,
      read: async () => ({ stored: await loadFeature(service.table, name) }),
      decide: ({ stored: loaded }) => {
        const stored = requireFeature(loaded, name, 'default');
        const state = { ...environmentOfFeature(stored.feature, environment), safeguards: [safeguard] };
        const after = withFeatureEnvironment(stored.feature, environment, state);
        return { stored, after, events: [featureStale(stored.feature)], value: undefined };
      },
    });
  }
});
