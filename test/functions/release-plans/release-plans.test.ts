import { describe, expect } from 'vitest';
import { isAnythingWaiting, runClock } from '../../../lib/clock/clock.ts';
import * as featureKeys from '../../../lib/features/keys.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { eventsAddedBy, eventTypesOf, paths, readState } from '../../harness/features.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { protect } from '../../harness/protection.ts';
import type { World } from '../../harness/world.ts';
import { strategyPlaces, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

const templates = '/api/admin/release-plan-templates';
const plans =
  '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/release-plans' as const;
const progressions =
  '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/progressions' as const;

const rollout = (percent: string, more: object = {}) => ({
  ...{ name: 'flexibleRollout', sortOrder: 0, parameters: { rollout: percent, groupId: '{{featureName}}' } },
  ...more,
});

const inAnHour = { transitionCondition: { intervalMinutes: 60 } };
const threeSteps = [
  { ...inAnHour, name: 'Few', strategies: [rollout('10')] },
  { ...inAnHour, name: 'Half', strategies: [rollout('50')] },
  { name: 'All', strategies: [rollout('100')] },
];

async function newTemplate(world: World, milestones: readonly object[] = threeSteps): Promise<string> {
  const { status, body } = await world.ask('POST', templates, { name: world.name('template'), milestones });
  expect(status).toBe(201);
  return body.id;
}

interface Milestone {
  readonly id: string;
  readonly name: string;
  readonly strategies: readonly { readonly id: string }[];
}

/** Gives a feature a plan; returns the variables of its path. */
async function planned(world: World, on = true) {
  const feature = await world.feature({ on });
  const { projectId, featureName, environment } = feature.place;
  const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/release-plans`;
  const { body } = await world.ask('POST', path, { templateId: await newTemplate(world) });
  const [few, half, all] = body.milestones as [Milestone, Milestone, Milestone];
  // The next milestone starts later than this one.
  await nextMillisecond();
  return { ...feature, params: { ...feature.place, planId: body.id as string }, few, half, all, path };
}

specify('getReleasePlans', {
  route: `GET ${plans}`,
  may: 'any token',
  request: async (world) => ({ params: (await planned(world)).place }),
  ofArchived: true,
});

specify('getReleasePlanPreview', {
  route: `GET ${plans}/{planId}/preview`,
  may: 'any token',
  request: async (world) => ({ params: (await planned(world)).params }),
  ofArchived: true,
});

specify('addReleasePlan', {
  route: `POST ${plans}`,
  ...openTo('Member', 'CREATE_FEATURE_STRATEGY'),
  request: async (world) => ({
    params: (await world.feature({ on: true })).place,
    body: { templateId: await newTemplate(world) },
  }),
  required: ['templateId'],
  // The template, and then what its strategies refer to.
  waits: 3,
  again: 409,
});

specify('removeReleasePlan', {
  route: `DELETE ${plans}/{planId}`,
  ...openTo('Member', 'DELETE_FEATURE_STRATEGY'),
  request: async (world) => ({ params: (await planned(world)).params }),
  again: 404,
});

specify('startReleasePlanMilestone', {
  route: `POST ${plans}/{planId}/milestones/{milestoneId}/start`,
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const { params, half } = await planned(world);
    return { params: { ...params, milestoneId: half.id } };
  },
  versionAt: `GET ${plans}`,
  again: 'nothing',
});

specify('pauseReleasePlan', {
  route: `POST ${progressions}/{progressionId}/pause`,
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const { place, params } = await planned(world);
    return { params: { ...place, progressionId: params.planId } };
  },
  again: 'nothing',
});

specify('resumeMilestoneProgressions', {
  route: `POST ${progressions}/{progressionId}/resume`,
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const { place, params, path } = await planned(world);
    const paused = await world.ask('POST', `${path.replace('release-plans', 'progressions')}/${params.planId}/pause`);
    expect(paused.status).toBe(200);
    return { params: { ...place, progressionId: params.planId } };
  },
  again: 'nothing',
});

specify('setMilestoneProgression', {
  route: `PUT ${progressions}/{progressionId}`,
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const { place, few, half } = await planned(world);
    const body = { targetMilestone: half.id, transitionCondition: { intervalMinutes: 90 } };
    return { params: { ...place, progressionId: few.id }, body };
  },
  required: ['targetMilestone', 'transitionCondition', 'transitionCondition.intervalMinutes'],
  versionAt: `GET ${plans}`,
  again: 'nothing',
});

specify('removeMilestoneProgression', {
  route: `DELETE ${progressions}/{progressionId}`,
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const { place, few } = await planned(world);
    return { params: { ...place, progressionId: few.id } };
  },
  versionAt: `GET ${plans}`,
  again: 404,
});

specify('updateReleasePlanStrategy', {
  route:
    'PUT /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/milestone-strategies/{strategyId}',
  ...openTo('Member', 'UPDATE_FEATURE_STRATEGY'),
  request: async (world) => {
    const { place, few } = await planned(world);
    const [strategy] = few.strategies;
    return { params: { ...place, strategyId: strategy?.id ?? '' }, body: await wholeStrategy(world) };
  },
  ...strategyPlaces(),
  required: strategyPlaces().required.filter((place) => place !== 'name'),
  versionAt: `GET ${plans}`,
  again: 'nothing',
});

describe('A release plan', () => {
  const { service, world } = worldForEach();
  const delivered = async (name: string) => {
    const { body } = await service.get('/api/client/features', { token: await world.clientToken() });
    return body.features.find((feature: { name: string }) => feature.name === name);
  };
  const rollouts = async (name: string) => {
    const { strategies } = await delivered(name);
    return strategies.map((strategy: { parameters: { rollout?: string } }) => strategy.parameters.rollout);
  };
  const remove = (path: string) => service.call('DELETE', path);
  const passMinutes = (minutes: number) => runClock(service.table, new Date(Date.now() + minutes * 60_000));

  test('serves the strategies of the active milestone before those of the feature, and shows only these apart', async () => {
    const { name, few } = await planned(world);
    const state = await readState(service, name);
    expect(state.strategies).toHaveLength(1);
    expect(state).toMatchObject({ hasStrategies: true, releasePlans: [{ activeMilestoneId: few.id }] });
    const { body } = await service.get(paths.strategies(name));
    expect(body.map(({ id }: { id: string }) => id)).toEqual([few.strategies[0]?.id, state.strategies[0].id]);
    const { strategies } = await delivered(name);
    expect(strategies[0].parameters).toEqual({ rollout: '10', stickiness: 'default', groupId: name });
    expect(strategies).toHaveLength(2);
  });

  test('starts when its feature is enabled, without the default strategy', async () => {
    const { name, params, few } = await planned(world, false);
    const before = await readState(service, name);
    expect(before.releasePlans).toMatchObject([{ activeMilestoneId: null, nextAt: null }]);
    for (const { id } of before.strategies) await remove(`${paths.strategies(name)}/${id}`);
    await service.post(paths.switch(name, 'on'));
    const after = await readState(service, name);
    expect(after).toMatchObject({ enabled: true, strategies: [], releasePlans: [{ activeMilestoneId: few.id }] });
    expect(params.planId).toBe(after.releasePlans[0].id);
    expect(await eventTypesOf(service, name)).toEqual(
      expect.arrayContaining(['release-plan-added', 'release-plan-milestone-started', 'feature-environment-enabled']),
    );
  });

  test('starts with the other features of a bulk change', async () => {
    const plan = await planned(world, false);
    const { projectId, environment } = plan.place;
    await service.post(`/api/admin/projects/${projectId}/bulk_features/environments/${environment}/on`, {
      features: [plan.name],
    });
    expect((await readState(service, plan.name)).releasePlans[0].activeMilestoneId).toBe(plan.few.id);
  });

  test('moves on by itself, one milestone at a time, and counts each interval from the real start', async () => {
    const { name, half, all } = await planned(world);
    const active = async () => (await readState(service, name)).releasePlans[0];
    expect(await passMinutes(59)).toBe(true);
    expect((await active()).milestones[0]).not.toHaveProperty('progressionExecutedAt');
    const events = await eventsAddedBy(service, name, () => Promise.all([passMinutes(600), passMinutes(600)]));
    expect(events).toMatchObject([
      {
        type: 'release-plan-milestone-started',
        createdByUserId: -1337,
        data: { milestoneId: half.id, milestoneName: 'Half', isByTime: true },
      },
    ]);
    const moved = await active();
    expect(moved).toMatchObject({
      activeMilestoneId: half.id,
      milestones: [{ progressionExecutedAt: expect.any(String) }, {}, {}],
    });
    expect(Date.parse(moved.nextAt) - Date.parse(moved.milestones[1].startedAt)).toBe(3_600_000);
    expect(await isAnythingWaiting(service.table)).toBe(true);
    await passMinutes(61);
    expect(await active()).toMatchObject({ activeMilestoneId: all.id, nextAt: null });
    expect(await isAnythingWaiting(service.table)).toBe(false);
    await passMinutes(10_000);
    expect(await rollouts(name)).toEqual(['100', '100']);
  });

  test('that is not there any more does not keep the clock on', async () => {
    const { name, params, path } = await planned(world);
    const [step] = await queryAll<Key>(service.table, featureKeys.planSteps());
    await remove(`${path}/${params.planId}`);
    expect(step?.sk).toContain(name);
    if (step !== undefined) await transact(service.table, [{ put: step, item: {} }], undefined);
    expect(await isAnythingWaiting(service.table)).toBe(true);
    await passMinutes(61);
    expect(await isAnythingWaiting(service.table)).toBe(false);
  });

  test('stands still while its feature is off or archived, and keeps the rest of its time', async () => {
    const { name, few, params } = await planned(world);
    const plan = async () => (await readState(service, name)).releasePlans[0];
    const stops: [() => Promise<unknown>, () => Promise<unknown>][] = [
      [() => service.post(paths.switch(name, 'off')), () => service.post(paths.switch(name, 'on'))],
      [
        () => remove(paths.feature(name)),
        async () => {
          await service.post(paths.revived(name));
          await service.post(paths.switch(name, 'on'));
        },
      ],
    ];
    for (const [stop, start] of stops) {
      await stop();
      await passMinutes(10_000);
      await start();
      const { activeMilestoneId, nextAt } = await plan();
      expect(activeMilestoneId).toBe(few.id);
      expect(Date.parse(nextAt) - Date.now()).toBeGreaterThan(59 * 60_000);
      expect(Date.parse(nextAt) - Date.now()).toBeLessThanOrEqual(60 * 60_000);
    }
    expect((await plan()).id).toBe(params.planId);
  });

  test('of a feature that an update archives and revives waits for the time that the answer shows', async () => {
    const { name, place } = await planned(world);
    const update = async (archived: boolean) => {
      const { body } = await service.put(paths.feature(name), { archived });
      const { releasePlans } = body.environments.find(
        ({ name: environment }: { name: string }) => environment === place.environment,
      );
      return releasePlans[0].nextAt;
    };
    const stored = async () => (await readState(service, name)).releasePlans[0].nextAt;
    expect(await update(true)).toBeNull();
    expect(await update(false)).toBe(await stored());
    expect(await stored()).not.toBeNull();
  });

  test('is paused and resumed, and starts a milestone by a person meanwhile', async () => {
    const { name, half, params, path } = await planned(world);
    const change = (way: string) =>
      service.post(`${path.replace('release-plans', 'progressions')}/${params.planId}/${way}`);
    const paused = (await change('pause')).body;
    expect(paused).toMatchObject({ nextAt: null, milestones: [{ pausedAt: expect.any(String) }, {}, {}] });
    await passMinutes(10_000);
    const started = (await service.post(`${path}/${params.planId}/milestones/${half.id}/start`)).body;
    expect(started).toMatchObject({ activeMilestoneId: half.id, nextAt: null });
    await passMinutes(10_000);
    const resumed = (await change('resume')).body;
    expect(resumed.activeMilestoneId).toBe(half.id);
    expect(resumed.milestones[1]).not.toHaveProperty('pausedAt');
    expect((await readState(service, name)).releasePlans).toEqual([resumed]);
  });

  test('started by two people at once moves one milestone, with one event', async () => {
    const { name, half, params, path } = await planned(world);
    const start = () => service.post(`${path}/${params.planId}/milestones/${half.id}/start`);
    const events = await eventsAddedBy(service, name, async () => {
      const replies = await Promise.all([start(), start(), start()]);
      expect(replies.map(({ status, body }) => [status, body.activeMilestoneId])).toEqual(
        Array.from({ length: 3 }, () => [200, half.id]),
      );
    });
    expect(events).toHaveLength(1);
  });

  test('takes another time for its active milestone, but none that has passed or leads elsewhere', async () => {
    const { place, few, half, all, path } = await planned(world);
    const set = (source: Milestone, target: Milestone, intervalMinutes: number) =>
      service.put(`${path.replace('release-plans', 'progressions')}/${source.id}`, {
        ...{ sourceMilestone: source.id, targetMilestone: target.id, transitionCondition: { intervalMinutes } },
      });
    const { body } = await set(few, half, 120);
    expect(Date.parse(body.nextAt) - Date.parse(body.milestones[0].startedAt)).toBe(7_200_000);
    const skipped = await set(few, all, 120);
    expect(skipped).toMatchObject({ status: 400, body: { details: [{ path: 'targetMilestone' }] } });
    expect((await set(all, few, 5)).body.details[0].message).toContain('is none');
    expect((await readState(service, place.featureName)).releasePlans[0].nextAt).toBe(body.nextAt);
  });

  test('replaces one from another template, but not one from the same', async () => {
    const { name, path, params } = await planned(world);
    const templateId = await newTemplate(world);
    const events = await eventsAddedBy(service, name, () => service.post(path, { templateId }));
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'release-plan-added',
      'release-plan-milestone-started',
      'release-plan-removed',
    ]);
    expect(await service.post(path, { templateId })).toMatchObject({ status: 409 });
    expect((await remove(`${path}/${params.planId}`)).status).toBe(404);
  });

  test('is not made from a template that is archived, incomplete or of another project', async () => {
    const { place } = await world.feature({ on: true });
    const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}/environments/${place.environment}/release-plans`;
    const add = async (milestones: object[], more: object = {}, archive = false) => {
      const { body } = await service.post(templates, { name: world.name('template'), milestones, ...more });
      if (archive) await service.post(`${templates}/archive/${body.id}`);
      return service.post(path, { templateId: body.id });
    };
    expect((await add([], {}, true)).body.details).toMatchObject([
      { message: expect.stringContaining('is archived'), path: 'templateId' },
      { message: expect.stringContaining('has no milestones') },
    ]);
    expect((await add([{ name: 'Empty' }])).body.details[0].message).toContain('"Empty" has no strategies');
    expect(await add([...threeSteps], { project: await world.project() })).toMatchObject({ status: 404 });
  });

  test('that goes leaves its feature off, unless that has an enabled strategy of its own', async () => {
    for (const hasOwn of [true, false]) {
      const { name, path, params } = await planned(world);
      const [own] = (await readState(service, name)).strategies;
      if (!hasOwn) await remove(`${paths.strategies(name)}/${own.id}`);
      expect((await readState(service, name)).enabled).toBe(true);
      await remove(`${path}/${params.planId}`);
      expect(await readState(service, name)).toMatchObject({ enabled: hasOwn, releasePlans: [] });
    }
  });

  test('keeps the segments of all its milestones in use, and lists them', async () => {
    const { id } = await world.segment();
    const { place } = await world.feature({ on: true });
    const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}/environments/${place.environment}/release-plans`;
    const later = { name: 'Later', strategies: [rollout('100', { segments: [id] })] };
    const templateId = await newTemplate(world, [threeSteps[0] ?? {}, later]);
    const { body } = await service.post(path, { templateId });
    // The template no longer uses it.
    await service.put(`${templates}/${templateId}`, { name: world.name('template'), milestones: threeSteps });
    expect(await remove(`/api/admin/segments/${id}`)).toMatchObject({ status: 409 });
    const uses = (await service.get(`/api/admin/segments/${id}/strategies`)).body;
    expect(uses.strategies).toMatchObject([
      { id: body.milestones[1].strategies[0].id, featureName: place.featureName },
    ]);
    await remove(`${path}/${body.id}`);
    expect((await remove(`/api/admin/segments/${id}`)).status).toBe(204);
  });

  test('lives in copies as the strategies that are live now', async () => {
    const { name, place } = await planned(world);
    const copy = world.name('copy');
    await service.post(`${paths.feature(name)}/clone`, { name: copy });
    const state = await readState(service, copy);
    expect(state.releasePlans).toEqual([]);
    expect(state.strategies.map(({ parameters }: { parameters: object }) => parameters)).toMatchObject([
      { rollout: '10', groupId: copy },
      {},
    ]);
    const exported = await service.post('/api/admin/features-batch/export', {
      ...{ environment: place.environment, features: [name] },
    });
    expect(exported.body.featureStrategies).toHaveLength(2);
  });

  test('needs approval in a protected environment, but not to pause or to go back', async () => {
    const { name, place, few, half, params, path } = await planned(world);
    await service.post(`${path}/${params.planId}/milestones/${half.id}/start`);
    await protect(service.table, place);
    const token = await world.token({ inProject: { project: place.projectId, role: 'Member' } });
    const ask = (method: 'POST' | 'DELETE', more: string) => service.call(method, `${path}${more}`, { token });
    const pause = `${path.replace('release-plans', 'progressions')}/${params.planId}`;
    expect(await ask('POST', `/${params.planId}/milestones/${few.id}/start`)).toMatchObject({ status: 200 });
    expect(await ask('POST', `/${params.planId}/milestones/${half.id}/start`)).toMatchObject({ status: 403 });
    expect(await ask('DELETE', `/${params.planId}`)).toMatchObject({ status: 403 });
    expect(await service.call('POST', `${pause}/pause`, { token })).toMatchObject({ status: 200 });
    expect(await service.call('POST', `${pause}/resume`, { token })).toMatchObject({ status: 403 });
    expect((await readState(service, name)).releasePlans[0].activeMilestoneId).toBe(few.id);
    // The times of the plan were approved with it.
    await service.post(`${pause}/resume`);
    await passMinutes(61);
    expect((await readState(service, name)).releasePlans[0].activeMilestoneId).toBe(half.id);
  });
});
