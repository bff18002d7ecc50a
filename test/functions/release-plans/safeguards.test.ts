import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as featureKeys from '../../../lib/features/keys.ts';
import { recordAlarm } from '../../../lib/safeguards/alarm-evidence.ts';
import { watchSafeguards } from '../../../lib/safeguards/watch.ts';
import { unavailableError } from '../../../lib/store/client/client.ts';
import { queryAll, readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { flushUsage } from '../../../lib/usage/register-usage.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { eventsAddedBy, paths, readState } from '../../harness/features.ts';
import { contentOf } from '../../harness/items.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { protect } from '../../harness/protection.ts';
import { hourly, makePlanned, share } from '../../harness/release-plans.ts';
import { beforeRequests } from '../../harness/store-requests.ts';
import type { FeatureOptions, World } from '../../harness/world.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { openTo, specify, worldForEach } from '../../specifications/specify.ts';

const route = '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}' as const;

const safeguard = (impactMetric: object = {}, more: object = {}) => ({
  impactMetric: {
    ...{ metricName: 'errors', timeRange: 'hour', aggregationMode: 'count', labelSelectors: { appName: ['shop'] } },
    ...{ source: 'internal', ...impactMetric },
  },
  triggerCondition: { operator: '>', threshold: 10 },
  ...more,
});
const signalled = (more: object = {}) =>
  safeguard(
    { metricName: 'signal', labelSelectors: {} },
    { triggerCondition: { operator: '>', threshold: 0 }, ...more },
  );

const bodyPlaces = {
  required: [
    'impactMetric',
    'impactMetric.metricName',
    'impactMetric.timeRange',
    'impactMetric.aggregationMode',
    'triggerCondition',
    'triggerCondition.operator',
    'triggerCondition.threshold',
    'action.type',
  ],
};

const milestones = [
  ...[hourly('Few', share('10')), hourly('Half', share('50'))],
  { name: 'All', strategies: [share('100')] },
];

/** Gives a feature that is on a plan of three milestones; returns the paths and the ids. */
async function startPlan(world: World) {
  const { plan: made, path, ...feature } = await makePlanned(world, { milestones });
  const [few = '', half = '', all = ''] = made.milestones.map(({ id }) => id);
  const here = path.slice(0, path.lastIndexOf('/'));
  return { ...feature, here, plan: `${path}/${made.id}`, planId: made.id, few, half, all };
}

specify('setReleasePlanSafeguard', {
  route: `PUT ${route}/release-plans/{planId}/safeguards`,
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const { place, planId } = await startPlan(world);
    const body = safeguard({}, { id: 'errors', action: { type: 'startPreviousMilestone' } });
    return { params: { ...place, planId }, body };
  },
  ...bodyPlaces,
  again: 'nothing',
});

async function guardedPlan(world: World, body: object = signalled()) {
  const planned = await startPlan(world);
  const reply = await world.ask('PUT', `${planned.plan}/safeguards`, body);
  expect(reply.status).toBe(200);
  return { ...planned, id: reply.body.id as string };
}

async function guardedFeature(world: World, body: object = signalled(), options: FeatureOptions = {}) {
  const feature = await world.feature({ on: true, ...options });
  const { projectId, featureName, environment } = feature.place;
  const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}`;
  const reply = await world.ask('PUT', `${path}/safeguards`, body);
  expect(reply.status).toBe(200);
  return { ...feature, here: path, id: reply.body.id as string };
}

specify('deleteReleasePlanSafeguard', {
  route: `DELETE ${route}/release-plans/{planId}/safeguards/{id}`,
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const { place, planId, id } = await guardedPlan(world);
    return { params: { ...place, planId, id } };
  },
  again: 404,
});

specify('setFeatureEnvironmentSafeguard', {
  route: `PUT ${route}/safeguards`,
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: async (world) => ({
    params: (await world.feature({ on: true })).place,
    body: safeguard({}, { id: 'errors', action: { type: 'disableFeatureEnvironment' } }),
  }),
  ...bodyPlaces,
  again: 'nothing',
});

specify('deleteFeatureEnvironmentSafeguard', {
  route: `DELETE ${route}/safeguards/{id}`,
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: async (world) => {
    const { place, id } = await guardedFeature(world);
    return { params: { ...place, id } };
  },
  again: 404,
});

specify('getSafeguardEvidence', {
  route: `GET ${route}/safeguards/evidence`,
  may: 'any token',
  request: async (world) => ({ params: (await guardedPlan(world)).place }),
  // The feature, and then the evidence.
  waits: 2,
});

specify('getSafeguardAlarms', {
  route: 'GET /api/admin/safeguard-alarms',
  may: 'any token',
  given: (world) =>
    recordAlarm(world.service.table, {
      ...{ alarm: 'shop-errors', state: 'ALARM', at: new Date().toISOString(), reason: 'Threshold crossed' },
    }),
});

specify('createSafeguardSignalToken', {
  route: `POST ${route}/safeguards/{id}/signal-token`,
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_ENVIRONMENT'),
  request: async (world) => {
    const { place, id } = await guardedPlan(world);
    return { params: { ...place, id } };
  },
  again: 'once more',
  unversioned: 'a token has no version, and replaces the earlier one',
});

/** Creates a token for signals to a safeguard. */
async function signalTokenFor(world: World, { here: path, id }: { readonly here: string; readonly id: string }) {
  const { body } = await world.ask('POST', `${path}/safeguards/${id}/signal-token`);
  return body.token as string;
}

specify('sendSafeguardSignal', {
  route: 'POST /safeguards/{id}/signal',
  may: 'signers',
  request: async (world) => {
    const guarded = await guardedFeature(world);
    // A signal counts if it comes after its safeguard.
    await nextMillisecond();
    return {
      params: { id: guarded.id },
      headers: { authorization: `Bearer ${await signalTokenFor(world, guarded)}` },
      body: {
        ...{ reason: 'The smoke test of release 7 failed', status: 'firing', title: 'Smoke test', message: 'Failed' },
        commonAnnotations: { summary: 'Failed' },
      },
    };
  },
  // The token, the count, the signal, the feature and what the safeguard measures, and its action.
  waits: 8,
});

const minute = 60_000;
/** Half past nine. */
const start = Date.UTC(2026, 10, 29, 9, 30);

describe('Safeguards', () => {
  const { service, world } = worldForEach();
  let token: string;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    token = await world.clientToken();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * minute);
  const watch = () => watchSafeguards(service.table, new Date());
  /** Reports to the service as an SDK does. */
  const report = async (body: object, instanceId = 'one') => {
    const sent = { appName: 'shop', instanceId, bucket: null, ...body };
    expect((await service.post('/api/client/metrics', sent, { token })).status).toBe(202);
    await flushUsage(service.table);
  };
  const count = (value: number, labels: object = { appName: 'shop' }) =>
    report({ impactMetrics: [{ name: 'errors', help: 'Errors', type: 'counter', samples: [{ labels, value }] }] });
  const evaluate = (name: string, toggle: object, instanceId?: string) => {
    const now = new Date().toISOString();
    return report({ bucket: { start: now, stop: now, toggles: { [name]: toggle } } }, instanceId);
  };
  const evidence = async (path: string) => (await service.get(`${path}/safeguards/evidence`)).body.safeguards;
  const planOf = async (name: string) => (await readState(service, name)).releasePlans[0];

  test('of a plan pause it when a metric of SDKs crosses the threshold, once, with the evidence in the event', async () => {
    const { name, planId, here: path, few, id } = await guardedPlan(world, safeguard());
    pass(1);
    await count(10);
    await watch();
    expect(await evidence(path)).toMatchObject([
      { id, releasePlanId: planId, state: 'quiet', value: 10, threshold: 10 },
    ]);
    pass(1);
    await count(1);
    pass(0.5);
    const events = await eventsAddedBy(service, name, () =>
      Promise.all([watch(), watchSafeguards(anotherProcess(service.table), new Date())]),
    );
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'release-plan-progressions-paused',
      'safeguard-triggered',
    ]);
    expect(events.find(({ type }) => type === 'safeguard-triggered')).toMatchObject({
      environment: 'development',
      createdByUserId: -1337,
      data: {
        ...{ id, value: 11, triggerCondition: { operator: '>', threshold: 10 }, evidenceAgeSeconds: 0 },
        action: { type: 'pauseReleasePlanProgressions', id: planId },
      },
    });
    const plan = await planOf(name);
    expect(plan).toMatchObject({
      activeMilestoneId: few,
      nextAt: null,
      milestones: [{ pausedAt: expect.any(String) }, {}, {}],
    });
    expect(await evidence(path)).toMatchObject([{ metricName: expect.any(String), state: 'idle', value: null }]);
  });

  test('do not stop a resumed plan by what stopped it before, but by what happens then', async () => {
    const { name, here: path, planId } = await guardedPlan(world, safeguard());
    pass(1);
    await count(11);
    await watch();
    expect((await planOf(name)).nextAt).toBeNull();
    await service.post(`${path}/progressions/${planId}/resume`);
    await watch();
    pass(1);
    await watch();
    expect((await planOf(name)).nextAt).not.toBeNull();
    const reason = 'Nothing was reported since the start. Earlier reports do not count.';
    expect(await evidence(path)).toMatchObject([{ state: 'no data', reason }]);
    await count(11);
    await watch();
    expect((await planOf(name)).nextAt).toBeNull();
  });

  test('go back to the milestone that was live before, or pause the first one', async () => {
    const back = safeguard({}, { action: { type: 'startPreviousMilestone' } });
    const { name, plan, here: path, planId, few, half } = await guardedPlan(world, back);
    await service.post(`${plan}/milestones/${half}/start`);
    pass(1);
    await count(11);
    const events = await eventsAddedBy(service, name, watch);
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      ...['release-plan-milestone-started', 'release-plan-progressions-paused', 'safeguard-triggered'],
    ]);
    expect(await planOf(name)).toMatchObject({ activeMilestoneId: few, nextAt: null });
    await service.post(`${path}/progressions/${planId}/resume`);
    pass(2);
    await count(11);
    await watch();
    expect(await planOf(name)).toMatchObject({ activeMilestoneId: few, nextAt: null });
  });

  test('watch a paused plan again once a milestone of it starts, by what happens since, and pause it again', async () => {
    const { name, plan, here: path, half, all } = await guardedPlan(world, safeguard());
    pass(1);
    await count(11);
    await watch();
    for (const milestone of [half, all]) {
      const { body: before } = await service.post(`${plan}/milestones/${milestone}/start`);
      expect(before).toMatchObject({ activeMilestoneId: milestone, nextAt: null });
      expect(await eventsAddedBy(service, name, watch)).toEqual([]);
      pass(1);
      expect(await eventsAddedBy(service, name, watch)).toEqual([]);
      expect(await evidence(path)).toMatchObject([{ state: 'no data' }]);
      await count(11);
      const events = await eventsAddedBy(service, name, () =>
        Promise.all([watch(), watchSafeguards(anotherProcess(service.table), new Date())]),
      );
      expect(events.map(({ type }) => type).toSorted()).toEqual([
        ...['release-plan-progressions-paused', 'safeguard-triggered'],
      ]);
      const pausedAt = new Date().toISOString();
      const milestones = expect.arrayContaining([expect.objectContaining({ id: milestone, pausedAt })]);
      expect(await planOf(name)).toMatchObject({ activeMilestoneId: milestone, nextAt: null, milestones });
      expect(await evidence(path)).toMatchObject([{ state: 'idle' }]);
    }
    expect(problemsOf(await contentOf(service.table))).toEqual([]);
  });

  test('of a plan that an earlier release moved on during a pause watch it from the next start on', async () => {
    const { name, plan, here: path, planId, half, all } = await guardedPlan(world);
    await service.post(`${path}/progressions/${planId}/pause`);
    await service.post(`${plan}/milestones/${half}/start`);
    const own = [featureKeys.featureEnvironment(name, 'development'), featureKeys.feature(name)];
    for (const key of [...own, featureKeys.listedFeature('default', name)]) {
      const { pk: _pk, sk: _sk, ...item } = (await readItem<Record<string, string>>(service.table, key)) ?? {};
      const text = JSON.stringify(item).replace(/,\\"movedOn(At)?\\":(true|\\"[^"]*\\")/g, '');
      await transact(service.table, [{ put: key, item: JSON.parse(text) }], undefined);
    }
    await transact(service.table, [{ remove: featureKeys.guarded('development', name) }], undefined);
    expect(await evidence(path)).toMatchObject([{ state: 'idle' }]);
    await service.post(`${plan}/milestones/${all}/start`);
    expect(await evidence(path)).toMatchObject([{ state: 'no data' }]);
    expect(problemsOf(await contentOf(service.table))).toEqual([]);
  });

  test('count nothing of the minute in which a person started a milestone of a paused plan', async () => {
    const { name, plan, here: path, planId, half } = await guardedPlan(world, safeguard());
    await service.post(`${path}/progressions/${planId}/pause`);
    pass(1);
    await count(11);
    await service.post(`${plan}/milestones/${half}/start`);
    expect(await eventsAddedBy(service, name, watch)).toEqual([]);
    pass(1);
    expect(await eventsAddedBy(service, name, watch)).toEqual([]);
    expect(await evidence(path)).toMatchObject([{ state: 'no data' }]);
  });

  test('of a paused plan that a person moved on go back, or switch the feature off and watch it once it is on again', async () => {
    const { name, plan, here: path, planId, few, half } = await guardedPlan(world);
    const actBy = async (type: string) => {
      await world.ask('PUT', `${plan}/safeguards`, signalled({ action: { type } }));
      const [{ id }] = await evidence(path);
      const token = `Bearer ${await signalTokenFor(world, { here: path, id })}`;
      pass(1);
      return eventsAddedBy(service, name, () => service.post(`/safeguards/${id}/signal`, { reason: 'Bad' }, { token }));
    };
    await service.post(`${path}/progressions/${planId}/pause`);
    expect(await actBy('startPreviousMilestone')).toEqual([]);
    await service.post(`${plan}/milestones/${half}/start`);
    expect((await actBy('startPreviousMilestone')).map(({ type }) => type).toSorted()).toEqual([
      ...['release-plan-milestone-started', 'release-plan-progressions-paused', 'safeguard-triggered'],
    ]);
    expect(await planOf(name)).toMatchObject({ activeMilestoneId: few, nextAt: null });
    expect(await actBy('startPreviousMilestone')).toEqual([]);
    await service.post(`${plan}/milestones/${half}/start`);
    for (const _ of ['once', 'again']) {
      expect((await actBy('disableFeatureEnvironment')).map(({ type }) => type).toSorted()).toEqual([
        ...['feature-environment-disabled', 'safeguard-triggered'],
      ]);
      await service.post(paths.switch(name, 'on'));
      expect(await evidence(path)).toMatchObject([{ state: 'no data' }]);
    }
    expect((await planOf(name)).nextAt).toBeNull();
  });

  test('let a member go back in a paused plan of a protected environment, but not forward', async () => {
    const { name, place, plan, here: path, planId, few, half, all } = await guardedPlan(world);
    await service.post(`${plan}/milestones/${half}/start`);
    await service.post(`${path}/progressions/${planId}/pause`);
    await protect(service.table, place);
    const member = await world.token({ inProject: { project: place.projectId, role: 'Member' } });
    const start = async (id: string) =>
      (await service.post(`${plan}/milestones/${id}/start`, undefined, { token: member })).status;
    expect([await start(all), await start(few), await start(half)]).toEqual([403, 200, 403]);
    expect(await planOf(name)).toMatchObject({ activeMilestoneId: few, nextAt: null });
    expect(await evidence(path)).toMatchObject([{ state: 'no data' }]);
  });

  test('switch a feature off without approval, and leave it off', async () => {
    const { name, place, here: path } = await guardedFeature(world, safeguard());
    await protect(service.table, place);
    pass(1);
    await count(11);
    const events = await eventsAddedBy(service, name, watch);
    expect(events.map(({ type }) => type).toSorted()).toEqual(['feature-environment-disabled', 'safeguard-triggered']);
    expect((await readState(service, name)).enabled).toBe(false);
    expect(await eventsAddedBy(service, name, watch)).toEqual([]);
    await service.post(paths.switch(name, 'on'));
    pass(1);
    await watch();
    expect((await readState(service, name)).enabled).toBe(true);
    expect(await evidence(path)).toMatchObject([{ state: 'no data' }]);
  });

  test('against too little wait until there is enough to judge by, and until there are fresh data', async () => {
    const { name, here: path } = await guardedFeature(
      world,
      safeguard({ aggregationMode: 'rps' }, { triggerCondition: { operator: '<', threshold: 1 } }),
    );
    for (let passed = 0; passed < 4; passed += 1) {
      pass(1);
      await count(6);
      await watch();
    }
    expect((await readState(service, name)).enabled).toBe(true);
    expect((await evidence(path))[0]).toMatchObject({ state: 'no data', reason: expect.stringContaining('too short') });
    pass(30);
    await watch();
    expect((await evidence(path))[0]).toMatchObject({
      state: 'no data',
      reason: expect.stringContaining('15 minutes'),
    });
    await count(6);
    await watch();
    expect((await readState(service, name)).enabled).toBe(false);
  });

  test('do not tell what only a private project measures, except to its own features', async () => {
    const hidden = await world.project();
    const isOn = async (name: string, project?: string) =>
      (await readState(service, name, 'development', project)).enabled;
    const { name: stranger, here: outside } = await guardedFeature(world, safeguard());
    const { name: own, here: inside } = await guardedFeature(world, safeguard(), { project: hidden });
    await service.put(`/api/admin/projects/${hidden}`, { name: hidden, mode: 'private' });
    token = await world.clientToken({ projects: [hidden] });
    pass(1);
    await count(11);
    expect([await evidence(outside), await evidence(inside)]).toMatchObject([[{ value: null }], [{ value: 11 }]]);
    await watch();
    expect([await isOn(stranger), await isOn(own, hidden)]).toEqual([true, false]);
  });

  test('compare each value of a label alone if they are asked to', async () => {
    const { name } = await guardedFeature(world, safeguard({ labelSelectors: { region: ['*'] } }));
    pass(1);
    for (const region of ['eu', 'us']) await count(6, { region });
    await watch();
    expect((await readState(service, name)).enabled).toBe(true);
    await count(5, { region: 'us' });
    await watch();
    expect((await readState(service, name)).enabled).toBe(false);
  });

  test('know what SDKs report of the feature: evaluations, the share of yes and of a variant, and instances', async () => {
    const metrics: [string, string, object][] = [
      ['flag:evaluations', 'count', {}],
      ['flag:yes-rate', 'avg', {}],
      ['flag:variant-share', 'avg', { variant: ['blue'] }],
      ['flag:instances', 'count', {}],
    ];
    const { name, here: path, place } = await guardedFeature(world);
    const variant = (title: string) => ({ name: title, weight: 500, weightType: 'variable', stickiness: 'default' });
    await service.put(paths.variants(name), [variant('blue'), variant('red')]);
    for (const [metricName, aggregationMode, labelSelectors] of metrics) {
      const body = safeguard({ metricName, aggregationMode, labelSelectors }, { id: metricName.slice(5) });
      expect((await service.put(`${path}/safeguards`, body)).status).toBe(200);
    }
    pass(1);
    await evaluate(name, { yes: 6, no: 2, variants: { blue: 3, red: 1 } });
    pass(1);
    await evaluate(name, { yes: 2, no: 2, variants: { blue: 6, invented: 90 } }, 'two');
    const byId = async () =>
      Object.fromEntries((await evidence(path)).map(({ id, value }: { id: string; value: unknown }) => [id, value]));
    expect(await byId()).toMatchObject({ evaluations: 12, 'yes-rate': 8 / 12, 'variant-share': 0.9, instances: 2 });
    pass(11);
    expect(await byId()).toMatchObject({ evaluations: 12, instances: null });
    expect(place.featureName).toBe(name);
  });

  test('keep no minutes of other features', async () => {
    const { name } = await world.feature({ on: true });
    pass(1);
    await evaluate(name, { yes: 1, no: 0 });
    const items = await contentOf(service.table);
    expect(items.filter(({ pk }) => String(pk).startsWith('FEATURE_MINUTES'))).toEqual([]);
  });

  test('act when a CloudWatch alarm goes on after the start, whatever order its events have', async () => {
    const alarm = safeguard(
      { metricName: 'alarm:shop errors', labelSelectors: {} },
      { triggerCondition: { operator: '>', threshold: 0 } },
    );
    const { name, here: path } = await guardedFeature(world, alarm);
    const state = (of: 'OK' | 'ALARM', minutes: number) => ({
      ...{
        alarm: 'shop errors',
        state: of,
        reason: 'Threshold crossed',
        at: new Date(start + minutes * minute).toISOString(),
      },
    });
    expect((await evidence(path))[0]).toMatchObject({ state: 'no data' });
    await recordAlarm(service.table, state('ALARM', -1));
    await watch();
    expect((await evidence(path))[0]).toMatchObject({ state: 'no data', reason: expect.stringContaining('before') });
    pass(5);
    expect(await recordAlarm(service.table, state('OK', 3))).toBe(true);
    expect(await recordAlarm(service.table, state('ALARM', 2))).toBe(false);
    await watch();
    expect((await evidence(path))[0]).toMatchObject({ state: 'quiet', value: 0 });
    expect(await recordAlarm(service.table, state('ALARM', 4))).toBe(true);
    expect((await service.get('/api/admin/safeguard-alarms')).body.alarms).toEqual([
      { name: 'shop errors', state: 'ALARM', changedAt: new Date(start + 4 * minute).toISOString() },
    ]);
    const events = await eventsAddedBy(service, name, watch);
    expect(events.find(({ type }) => type === 'safeguard-triggered')?.data).toMatchObject({
      ...{ value: 1, evidenceAgeSeconds: 60, reason: 'Threshold crossed' },
    });
    expect((await readState(service, name)).enabled).toBe(false);
  });

  test('act at once on a signal with their token, whose reason the event shows, and on no other', async () => {
    const { name, here: path, id } = await guardedPlan(world);
    const other = await guardedPlan(world);
    const own = await signalTokenFor(world, { here: path, id });
    const foreign = await signalTokenFor(world, other);
    const send = (body: object, secret = own) =>
      service.post(`/safeguards/${id}/signal`, body, { token: `Bearer ${secret}` });
    pass(1);
    for (const secret of [token, '', `${own}0`]) expect((await send({}, secret)).status).toBe(401);
    expect((await send({}, foreign)).status).toBe(404);
    expect((await send({ status: 'resolved' })).status).toBe(200);
    expect((await planOf(name)).nextAt).not.toBeNull();
    const grafana = { status: 'firing', title: '[FIRING:1] Errors', message: 'Too many', alerts: [{}] };
    const events = await eventsAddedBy(service, name, async () => {
      const replies = await Promise.all([send(grafana), send(grafana), send(grafana)]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    });
    expect(events.filter(({ type }) => type === 'safeguard-triggered')).toMatchObject([
      { data: { value: 1, reason: '[FIRING:1] Errors' } },
    ]);
    expect((await planOf(name)).nextAt).toBeNull();
    expect((await planOf(other.name)).nextAt).not.toBeNull();
    const again = await signalTokenFor(world, { here: path, id });
    expect((await send({})).status).toBe(401);
    expect((await send({}, again)).status).toBe(200);
  });

  test('lose their token with themselves or their plan, even if a new one has the same id', async () => {
    const { name, here: path, plan, id } = await guardedPlan(world);
    await world.ask('PUT', `${path}/safeguards`, signalled({ id: 'own' }));
    const sendWith = async (at: string, secret: string) =>
      (await service.post(`/safeguards/${at}/signal`, {}, { token: `Bearer ${secret}` })).status;
    const ofPlan = await signalTokenFor(world, { here: path, id });
    const own = await signalTokenFor(world, { here: path, id: 'own' });
    await world.ask('DELETE', plan);
    await world.ask('DELETE', `${path}/safeguards/own`);
    await world.ask('PUT', `${path}/safeguards`, signalled({ id: 'own' }));
    expect([await sendWith(id, ofPlan), await sendWith('own', own)]).toEqual([401, 401]);
    expect((await readState(service, name)).enabled).toBe(true);
  });

  test('of a feature have at most 20 tokens, with which it can be deleted', async () => {
    const { name, here: path, plan } = await startPlan(world);
    const elsewhere = path.replace('/development', '/production');
    const guard = async (owner: string, id: string) => {
      await world.ask('PUT', `${owner}/safeguards`, signalled({ id }));
      return service.post(`${owner.replace(/\/release-plans.*/, '')}/safeguards/${id}/signal-token`);
    };
    for (let index = 0; index < 10; index += 1) {
      expect((await guard(path, `own-${index}`)).status).toBe(201);
      expect((await guard(plan, `plan-${index}`)).status).toBe(201);
    }
    expect((await guard(path, 'own-0')).status).toBe(201);
    expect((await guard(elsewhere, 'other')).status).toBe(400);
    await world.ask('DELETE', paths.feature(name));
    await world.ask('DELETE', paths.deleted(name));
    expect(await queryAll(service.table, featureKeys.signals(name))).toEqual([]);
  });

  test('take a limited number of signals', async () => {
    const { here: path, id } = await guardedPlan(world);
    const secret = await signalTokenFor(world, { here: path, id });
    const send = () => service.post(`/safeguards/${id}/signal`, { reason: 'again' }, { token: `Bearer ${secret}` });
    for (let sent = 0; sent < 30; sent += 1) expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
    pass(11);
    expect((await send()).status).toBe(200);
  });

  test('are replaced by their id or as the first one, and are at most ten', async () => {
    const { name, plan } = await startPlan(world);
    const put = (more: object) => service.put(`${plan}/safeguards`, safeguard({}, more));
    const first = await put({ triggerCondition: { operator: '>', threshold: 1 } });
    const second = await put({ triggerCondition: { operator: '>', threshold: 2 } });
    expect(second.body).toEqual({ ...first.body, triggerCondition: { operator: '>', threshold: 2 } });
    for (let id = 2; id <= 10; id += 1) expect((await put({ id: `safeguard-${id}` })).status).toBe(200);
    expect(await put({ id: 'another' })).toMatchObject({ status: 400, body: { details: [{ path: 'id' }] } });
    expect((await planOf(name)).safeguards).toHaveLength(10);
  });

  test('are refused with everything that is wrong', async () => {
    const { plan } = await startPlan(world);
    const refuse = async (body: object) => {
      const reply = await service.put(`${plan}/safeguards`, body);
      expect(reply.status).toBe(400);
      return reply.body.details.map((detail: { path: string }) => detail.path).toSorted();
    };
    expect(
      await refuse(
        safeguard(
          { metricName: 'flag:yes-rate', timeRange: 'month', labelSelectors: { variant: [] }, source: 'external' },
          { action: { type: 'nothing' } },
        ),
      ),
    ).toEqual(['action.type', 'impactMetric.source']);
    expect(
      await refuse(safeguard({ metricName: 'flag:yes-rate', timeRange: 'month', labelSelectors: { variant: [] } })),
    ).toEqual(['impactMetric.aggregationMode', 'impactMetric.labelSelectors.variant', 'impactMetric.timeRange']);
    expect(await refuse(safeguard({ metricName: 'flag:unknown' }))).toEqual(['impactMetric.metricName']);
    expect(await refuse(safeguard({ metricName: 'signal', labelSelectors: {} }))).toEqual(['triggerCondition']);
    await count(1);
    expect(await refuse(safeguard({ aggregationMode: 'p95' }))).toEqual(['impactMetric.aggregationMode']);
  });

  test('that fail do not stop the others', async () => {
    const broken = await guardedFeature(world, safeguard());
    const { name } = await guardedFeature(world, safeguard());
    pass(1);
    await count(11);
    const key = featureKeys.featureEnvironment(broken.name, 'development');
    const { pk: _pk, sk: _sk, ...item } = (await readItem<Record<string, string>>(service.table, key)) ?? {};
    await transact(service.table, [{ put: key, item: { ...item, safeguards: 'no JSON' } }], undefined);
    await expect(watch()).rejects.toThrow('no JSON');
    expect((await readState(service, name)).enabled).toBe(false);
  });

  test('change nothing if the store fails in between, and act once when it answers again', async () => {
    const { name } = await guardedPlan(world, safeguard({}, { action: { type: 'disableFeatureEnvironment' } }));
    pass(1);
    await count(11);
    {
      using _ = beforeRequests(service.table, async (_input, command) => {
        if (command === 'TransactWriteItems') throw unavailableError(new Error('away'));
      });
      expect(await eventsAddedBy(service, name, () => watch().catch(() => {}))).toEqual([]);
    }
    expect((await readState(service, name)).enabled).toBe(true);
    const events = await eventsAddedBy(service, name, async () => {
      await watch();
      await watch();
    });
    expect(events.map(({ type }) => type).toSorted()).toEqual(['feature-environment-disabled', 'safeguard-triggered']);
  });

  test('of a plan need approval to be removed or weakened in a protected environment, but not to be added or tightened', async () => {
    const { place, plan: path, id } = await guardedPlan(world, safeguard());
    await protect(service.table, place);
    const member = await world.token({ inProject: { project: place.projectId, role: 'Member' } });
    const put = async (threshold: number, more: object = {}) =>
      (
        await service.put(
          `${path}/safeguards`,
          safeguard({}, { id, triggerCondition: { operator: '>', threshold }, ...more }),
          { token: member },
        )
      ).status;
    expect([await put(11), await put(9), await put(10), await put(10, { id: 'second' })]).toEqual([403, 200, 403, 200]);
    expect((await service.call('DELETE', `${path}/safeguards/${id}`, { token: member })).status).toBe(403);
  });

  test('that switch a feature off need approval for every change in a protected environment, as switching off does', async () => {
    const { place, here: path, plan, id } = await guardedPlan(world, safeguard());
    const action = { type: 'disableFeatureEnvironment' };
    await world.ask('PUT', `${path}/safeguards`, safeguard({}, { id: 'own' }));
    await protect(service.table, place);
    const member = await world.token({ inProject: { project: place.projectId, role: 'Member' } });
    const ask = async (method: string, target: string, body?: object) =>
      (await service.call(method, target, { token: member, ...(body && { body }) })).status;
    expect(await ask('POST', `${path}/off`)).toBe(403);
    expect(await ask('PUT', `${path}/safeguards`, safeguard({}, { id: 'another' }))).toBe(403);
    const tight = { id: 'own', triggerCondition: { operator: '>', threshold: -1 } };
    expect(await ask('PUT', `${path}/safeguards`, safeguard({}, tight))).toBe(403);
    for (const body of [safeguard({}, { id: 'another', action }), safeguard({}, { id, action })])
      expect(await ask('PUT', `${plan}/safeguards`, body)).toBe(403);
    expect(await ask('DELETE', `${path}/safeguards/own`)).toBe(403);
  });
});
