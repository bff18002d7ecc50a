import { describe, expect } from 'vitest';
import { suspendSchedules } from '../../../lib/change-requests/schedules/suspension.ts';
import { startDueMilestones } from '../../../lib/release-plans/start-due-milestones.ts';
import { createOverride, createReviewTeam } from '../../harness/change-requests.ts';
import { hourly, makeTemplate, share } from '../../harness/release-plans.ts';
import type { Service } from '../../harness/service.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

const threeSteps = [
  hourly('Few', share('10')),
  hourly('Half', share('50')),
  { name: 'All', strategies: [share('100')] },
];
const templates = '/api/admin/release-plan-templates';

const newTemplate = (world: World) => makeTemplate(world, threeSteps);

interface Milestone {
  readonly id: string;
  readonly strategies: readonly { readonly id: string }[];
}

/** Creates the people of a project in which changes need approval, and a feature that is on, with a plan. */
async function createPlanTeam(world: World) {
  const people = await createReviewTeam(world);
  const { place, name: feature } = people;
  await world.ask('POST', `${place}/strategies`, share('0'));
  await world.ask('POST', `${place}/on`);
  const templateId = await newTemplate(world);
  const { body: plan } = await world.ask('POST', `${place}/release-plans`, { templateId });
  const [few, half, all] = plan.milestones as [Milestone, Milestone, Milestone];
  const planId: string = plan.id;
  const change = (action: string, payload: object) => ({ feature, action, payload });
  const start = ({ id: milestoneId }: Milestone) => change('startMilestone', { planId, milestoneId });
  return {
    ...{ ...people, feature, templateId, planId, few, half, all, change, start },
    ask: (changes: unknown) => people.ask(people.author, changes),
    current: async () => (await world.ask('GET', `${place}/release-plans`)).body[0],
    activeName: async () => {
      const [now] = (await world.ask('GET', `${place}/release-plans`)).body;
      return now.milestones.find(({ id }: Milestone) => id === now.activeMilestoneId)?.name;
    },
    directly: (path: string, method = 'POST', body?: unknown) => world.ask(method, `${place}/${path}`, body),
    scheduled: async (changes: unknown) => {
      const id = await people.approved(changes);
      expect(await people.schedule(id)).toMatchObject({ status: 200 });
      return id;
    },
    scheduleOf: async (id: number) => (await people.get(id, people.author)).schedule,
    conflictOf: async (id: number) => (await people.get(id, people.author)).features[0].changes[0].conflict,
  };
}

/** Starts the milestones that are due after some minutes. */
const runClock = (service: Service, minutes: number) =>
  startDueMilestones({ ...service.table, effectsOf: suspendSchedules }, new Date(Date.now() + minutes * 60_000));

/** The form of Unleash's admin UI 7.6.5 sends this. */
const safeguard = {
  impactMetric: {
    ...{ metricName: 'errors_total', timeRange: 'hour', aggregationMode: 'rps', source: 'internal' },
    labelSelectors: { appName: ['*'], environment: ['development'] },
  },
  triggerCondition: { operator: '>', threshold: 10 },
};

type Team = Awaited<ReturnType<typeof createPlanTeam>>;

interface Recorded {
  /** The changes that make the situation, directly. */
  readonly given?: (team: Team) => Promise<unknown>;
  readonly payload: (team: Team, world: World) => object | Promise<object>;
  /** The plan afterwards, and the environment of the feature. */
  readonly plan?: (team: Team) => object;
  readonly environment?: object;
  /** The thing before the change, as the answer shows it. */
  readonly snapshot?: (team: Team) => object;
}

/** Bodies as Unleash's admin UI 7.6.5 sends them, and what applying them does. */
const recorded: Record<string, Recorded> = {
  addReleasePlan: {
    payload: async (_team, world) => ({ templateId: await newTemplate(world) }),
    plan: () => ({ milestones: [{ name: 'Few', strategies: [{ parameters: { rollout: '10' } }] }, {}, {}] }),
  },
  deleteReleasePlan: {
    payload: ({ planId }) => ({ planId }),
    environment: { releasePlans: [] },
    snapshot: ({ planId }) => ({ id: planId }),
  },
  startMilestone: {
    payload: ({ planId, half }) => ({ planId, milestoneId: half.id }),
    plan: ({ half }) => ({ activeMilestoneId: half.id }),
    snapshot: ({ planId, few }) => ({ id: planId, activeMilestoneId: few.id }),
  },
  updateMilestoneStrategy: {
    payload: ({ half: { id, strategies } }) => ({
      ...{ id: strategies[0]?.id, milestoneId: id, name: 'flexibleRollout', strategyName: 'flexibleRollout' },
      ...{ title: '', sortOrder: 0, constraints: [], segments: [], variants: [], disabled: false },
      parameters: { rollout: '40', stickiness: 'default', groupId: 'checkout' },
    }),
    plan: () => ({ milestones: [{}, { strategies: [{ parameters: { rollout: '40' } }] }, {}] }),
    snapshot: ({ planId }) => ({ id: planId, milestones: [{ name: 'Few' }, { name: 'Half' }, { name: 'All' }] }),
  },
  changeMilestoneProgression: {
    payload: ({ few, half }) => ({
      ...{ sourceMilestone: few.id, targetMilestone: half.id },
      transitionCondition: { intervalMinutes: 2_880 },
    }),
    plan: () => ({ milestones: [{ transitionCondition: { intervalMinutes: 2_880 } }, {}, {}] }),
    snapshot: ({ planId }) => ({ id: planId }),
  },
  deleteMilestoneProgression: {
    payload: ({ few }) => ({ sourceMilestone: few.id }),
    plan: () => ({ nextAt: null }),
    snapshot: ({ planId }) => ({ id: planId }),
  },
  resumeMilestoneProgression: {
    given: ({ directly, planId }) => directly(`progressions/${planId}/pause`),
    payload: ({ planId }) => ({ planId }),
    plan: () => ({ nextAt: expect.any(String) }),
    snapshot: ({ planId }) => ({ id: planId, nextAt: null }),
  },
  changeReleasePlanSafeguard: {
    payload: ({ planId }) => ({ planId, safeguard }),
    plan: () => ({ safeguards: [safeguard] }),
    snapshot: ({ planId }) => ({ id: planId, safeguards: [] }),
  },
  deleteReleasePlanSafeguard: {
    given: ({ directly, planId }) => directly(`release-plans/${planId}/safeguards`, 'PUT', safeguard),
    payload: async ({ planId, current }) => ({ planId, safeguardId: (await current()).safeguards[0].id }),
    plan: () => ({ safeguards: [] }),
    snapshot: ({ planId }) => ({ id: planId, safeguards: [safeguard] }),
  },
  changeFeatureEnvSafeguard: {
    payload: () => ({ safeguard }),
    environment: { safeguards: [safeguard] },
  },
  deleteFeatureEnvSafeguard: {
    given: ({ directly }) => directly('safeguards', 'PUT', safeguard),
    payload: async ({ directly }) => ({ safeguardId: (await directly('', 'GET')).body.safeguards[0].id }),
    environment: { safeguards: [] },
    snapshot: () => safeguard,
  },
};

describe('A requested change of a release plan', () => {
  test.for(Object.entries(recorded))(
    'with the action %s is approved and applied as Unleash’s admin UI sends it',
    async ([action, { given, payload, plan, environment, snapshot }], { world }) => {
      const team = await createPlanTeam(world);
      await given?.(team);
      const id = await team.approved(team.change(action, await payload(team, world)));
      const [shown] = (await team.get(id, team.author)).features[0].changes;
      expect(shown.conflict).toBeUndefined();
      if (snapshot) expect(shown.payload.snapshot).toMatchObject(snapshot(team));
      else expect(shown.payload.snapshot).toBeUndefined();
      expect(await team.apply(id)).toMatchObject({ status: 200 });
      if (plan) expect(await team.current()).toMatchObject(plan(team));
      if (environment) expect((await team.directly('', 'GET')).body).toMatchObject(environment);
    },
  );

  test('is refused like the direct change', async ({ world }) => {
    const { ask, change, start, half } = await createPlanTeam(world);
    const other = await createPlanTeam(world);
    expect(await ask(change('addReleasePlan', { templateId: 'unknown' }))).toMatchObject({ status: 404 });
    expect(await ask(change('deleteReleasePlan', { planId: other.planId }))).toMatchObject({ status: 404 });
    expect(await ask(start(other.half))).toMatchObject({ status: 404 });
    const last = { sourceMilestone: half.id, targetMilestone: half.id, transitionCondition: { intervalMinutes: 5 } };
    expect(await ask(change('changeMilestoneProgression', last))).toMatchObject({
      ...{ status: 400, body: { details: [{ path: 'payload.targetMilestone' }] } },
    });
  });

  test('that adds a plan shows and applies the approved copy of the template', async ({ world }) => {
    const team = await createReviewTeam(world);
    const { name: feature, get, author, approved, apply, configure, place } = team;
    const templateId = await newTemplate(world);
    const id = await approved({ feature, action: 'addReleasePlan', payload: { templateId } });
    const edited = { name: world.name('template'), milestones: [{ name: 'At once', strategies: [share('100')] }] };
    expect((await world.ask('PUT', `${templates}/${templateId}`, edited)).status).toBe(200);
    const [change] = (await get(id, author)).features[0].changes;
    expect(change).toMatchObject({
      payload: { template: { milestones: [{ name: 'Few' }, { name: 'Half' }, { name: 'All' }] } },
      conflict: 'Somebody else has changed the release template since',
    });
    expect(await apply(id)).toMatchObject({
      status: 409,
      body: {
        details: [
          {
            path: `changes.${change.id}.milestones`,
            message: `Feature "${feature}" (adding a release plan): Somebody else has changed the release template since.`,
          },
        ],
      },
    });
    const { body: diff } = await world.ask('GET', `${team.project}/change-requests/${id}/diff`);
    expect(diff.conflicts).toMatchObject([{ changedBy: { username: expect.any(String) } }]);
    await configure({ onDrift: 'overwrite' });
    expect(await apply(id)).toMatchObject({ status: 200 });
    await configure({ onDrift: 'refuse' });
    const [plan] = (await world.ask('GET', `${place}/release-plans`)).body;
    expect(plan.milestones.map(({ name }: { name: string }) => name)).toEqual(['Few', 'Half', 'All']);
  });

  test('is not applied with a template that was archived or deleted since', async ({ world }) => {
    const { name: feature, approved, apply } = await createReviewTeam(world);
    const templateId = await newTemplate(world);
    const id = await approved({ feature, action: 'addReleasePlan', payload: { templateId } });
    await world.ask('POST', `${templates}/archive/${templateId}`);
    expect(await apply(id)).toMatchObject({ status: 409 });
    await world.ask('DELETE', `${templates}/${templateId}`);
    expect(await apply(id)).toMatchObject({ status: 409 });
  });

  test('covers the segments that the strategies of the template use', async ({ world }) => {
    const { name: feature, approved, apply, schedule, get, author } = await createReviewTeam(world);
    const segment = await world.segment({});
    const uses = [{ name: 'Some', strategies: [share('50', { segments: [segment.id] })] }];
    const payload = { templateId: await makeTemplate(world, uses) };
    const id = await approved({ feature, action: 'addReleasePlan', payload });
    const { body: found } = await world.ask('GET', `/api/admin/segments/${segment.id}/strategies`);
    expect(found.changeRequestStrategies).toMatchObject([{ featureName: feature, changeRequest: { id } }]);
    expect((await schedule(id)).status).toBe(200);
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['9'] }];
    const { name } = segment;
    expect((await world.ask('PUT', `/api/admin/segments/${segment.id}`, { name, constraints })).status).toBe(204);
    expect((await get(id, author)).schedule).toMatchObject({ status: 'suspended' });
    expect(await apply(id)).toMatchObject({ status: 409 });
  });

  test('is decided after the earlier changes of its request', async ({ world }) => {
    const { templateId, change, planId, few, half, all, start, approved, apply, current, ask } =
      await createPlanTeam(world);
    const again = change('addReleasePlan', { templateId });
    expect(await ask(again)).toMatchObject({ status: 409 });
    const sourceMilestone = few.id;
    const id = await approved([
      start(half),
      change('deleteMilestoneProgression', { sourceMilestone }),
      change('changeMilestoneProgression', {
        ...{ sourceMilestone, targetMilestone: half.id, transitionCondition: { intervalMinutes: 7 } },
      }),
      start(all),
    ]);
    expect(await apply(id)).toMatchObject({ status: 200 });
    expect(await current()).toMatchObject({
      activeMilestoneId: all.id,
      milestones: [{ transitionCondition: { intervalMinutes: 7 } }, {}, {}],
    });
    expect(await apply(await approved([change('deleteReleasePlan', { planId }), again]))).toMatchObject({
      status: 200,
    });
    expect((await current()).id).not.toBe(planId);
  });
});

describe('A request that changes a release plan', () => {
  test('is in conflict once the milestone has started that it starts, but not while the plan is on the way there', async ({
    service,
    world,
  }) => {
    const { half, all, start, approved, apply, activeName, scheduled, scheduleOf, change } =
      await createPlanTeam(world);
    const [toHalf, toAll] = [await scheduled(start(half)), await scheduled(start(all))];
    const strategy = await scheduled(
      change('updateMilestoneStrategy', { id: all.strategies[0]?.id, parameters: { rollout: '90' } }),
    );
    const time = await scheduled(change('deleteMilestoneProgression', { sourceMilestone: half.id }));
    await runClock(service, 61);
    expect(await activeName()).toBe('Half');
    expect(await scheduleOf(toHalf)).toMatchObject({
      status: 'suspended',
      reason: 'The milestone "Half" was started.',
    });
    for (const other of [toAll, strategy, time]) expect(await scheduleOf(other)).toMatchObject({ status: 'pending' });
    expect(await apply(toHalf)).toMatchObject({ status: 409 });
    expect(await apply(toAll)).toMatchObject({ status: 200 });
    expect(await scheduleOf(time)).toMatchObject({ status: 'suspended', reason: 'The milestone "All" was started.' });
    expect(await apply(await approved(start(half)))).toMatchObject({ status: 200 });
  });

  test('is in conflict if the plan was paused or went back since, and can be scheduled again', async ({ world }) => {
    const { few, half, all, planId, start, scheduled, scheduleOf, schedule, directly, apply, activeName } =
      await createPlanTeam(world);
    await directly(`release-plans/${planId}/milestones/${half.id}/start`);
    const id = await scheduled(start(all));
    await directly(`progressions/${planId}/pause`);
    expect(await scheduleOf(id)).toMatchObject({ status: 'suspended', reason: 'The release plan was paused.' });
    expect(await schedule(id)).toMatchObject({ status: 200 });
    await directly(`release-plans/${planId}/milestones/${few.id}/start`);
    expect(await scheduleOf(id)).toMatchObject({ status: 'suspended', reason: 'The milestone "Few" was started.' });
    expect(await schedule(id)).toMatchObject({ status: 200 });
    await directly(`progressions/${planId}/resume`);
    expect(await scheduleOf(id)).toMatchObject({ status: 'pending' });
    expect(await apply(id)).toMatchObject({ status: 200 });
    expect(await activeName()).toBe('All');
  });

  test('is in conflict with another one that changed the same part, or removed or replaced the plan', async ({
    world,
  }) => {
    const {
      templateId,
      half,
      change,
      planId,
      approved,
      apply,
      scheduled,
      scheduleOf,
      conflictOf,
      start,
      other,
      ...team
    } = await createPlanTeam(world);
    const strategy = (percent: string) =>
      change('updateMilestoneStrategy', { id: half.strategies[0]?.id, parameters: { rollout: percent } });
    const [one, two] = [await scheduled(strategy('30')), await scheduled(strategy('40'))];
    const start50 = await scheduled(start(half));
    expect(await apply(one, other)).toMatchObject({ status: 200 });
    const updated = { status: 'suspended', reason: 'The strategy was updated.' };
    expect(await scheduleOf(two)).toMatchObject(updated);
    expect(await scheduleOf(start50)).toMatchObject({
      ...updated,
      reason: 'A strategy of the release plan was updated.',
    });
    expect(await conflictOf(two)).toBe('Somebody else has changed the value that this change replaces');
    const pending = await scheduled(change('deleteReleasePlan', { planId }));
    const next = await newTemplate(world);
    const replace = await scheduled(change('addReleasePlan', { templateId: next }));
    await team.directly('release-plans', 'POST', { templateId: await newTemplate(world) });
    const added = { status: 'suspended', reason: 'Another release plan was added.' };
    for (const id of [pending, replace]) expect(await scheduleOf(id)).toMatchObject(added);
    expect(await conflictOf(pending)).toMatch('There is no release plan');
    expect(await apply(replace)).toMatchObject({ status: 409 });
  });

  test('resumes the plan after the pause that was known, and after no later one', async ({ world }) => {
    const { planId, change, approved, apply, directly, conflictOf } = await createPlanTeam(world);
    await directly(`progressions/${planId}/pause`);
    const id = await approved(change('resumeMilestoneProgression', { planId }));
    await directly(`progressions/${planId}/resume`);
    await directly(`progressions/${planId}/pause`);
    expect(await conflictOf(id)).toBe('Somebody else has changed the value that this change replaces');
    expect(await apply(id)).toMatchObject({ status: 409 });
  });

  test('is in conflict once a safeguard has acted that it starts past, weakens or removes', async ({
    service,
    world,
  }) => {
    const { planId, half, all, start, change, scheduled, scheduleOf, directly } = await createPlanTeam(world);
    await directly(`release-plans/${planId}/milestones/${half.id}/start`);
    const guard = (threshold: number, metricName = 'signal') => ({
      ...{ id: metricName, action: { type: 'startPreviousMilestone' } },
      impactMetric: { ...safeguard.impactMetric, metricName, labelSelectors: {} },
      triggerCondition: { operator: '>', threshold },
    });
    for (const [threshold, name] of [
      [0, 'signal'],
      [5, 'errors_total'],
    ] as const)
      await directly(`release-plans/${planId}/safeguards`, 'PUT', guard(threshold, name));
    const { token } = (await directly('safeguards/signal/signal-token')).body;
    const remove = await scheduled(change('deleteReleasePlanSafeguard', { planId, safeguardId: 'signal' }));
    const other = await scheduled(
      change('changeReleasePlanSafeguard', { planId, safeguard: guard(9, 'errors_total') }),
    );
    const next = await scheduled(start(all));
    const signal = { headers: { authorization: `Bearer ${token}` }, body: { reason: 'Orders fail' } };
    expect((await service.call('POST', '/safeguards/signal/signal', signal)).status).toBe(200);
    for (const id of [remove, next])
      expect(await scheduleOf(id)).toMatchObject({ status: 'suspended', reason: 'A safeguard acted.' });
    expect(await scheduleOf(other)).toMatchObject({ status: 'pending' });
  });

  test('is in conflict once a safeguard has paused a plan again that was moved on during a pause', async ({
    service,
    world,
  }) => {
    const { planId, half, all, start, change, scheduled, scheduleOf, directly } = await createPlanTeam(world);
    const { impactMetric } = safeguard;
    const measure = { ...impactMetric, metricName: 'signal', labelSelectors: {} };
    const guard = { id: 'signal', impactMetric: measure, triggerCondition: { operator: '>', threshold: 0 } };
    await directly(`release-plans/${planId}/safeguards`, 'PUT', guard);
    const { token } = (await directly('safeguards/signal/signal-token')).body;
    await directly(`progressions/${planId}/pause`);
    await directly(`release-plans/${planId}/milestones/${half.id}/start`);
    const waiting = [await scheduled(start(all)), await scheduled(change('resumeMilestoneProgression', { planId }))];
    const signal = { headers: { authorization: `Bearer ${token}` }, body: { reason: 'Orders fail' } };
    expect((await service.call('POST', '/safeguards/signal/signal', signal)).status).toBe(200);
    for (const id of waiting)
      expect(await scheduleOf(id)).toMatchObject({ status: 'suspended', reason: 'A safeguard acted.' });
  });

  test('is not scheduled on, if a plan replaces the default strategy that was approved with it', async ({ world }) => {
    const { on, place, approved, schedule, get, author } = await createReviewTeam(world);
    const id = await approved(on);
    expect((await schedule(id)).status).toBe(200);
    await world.ask('POST', `${place}/release-plans`, { templateId: await newTemplate(world) });
    expect((await get(id, author)).schedule).toMatchObject({ status: 'suspended', reason: /has a release plan/ });
  });
});

test('An override lists the changes of plans and safeguards that need approval like requested ones', async ({
  world,
}) => {
  const { projectId, id, holder, featureName, environment } = await createOverride(world);
  const place = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}`;
  const by = { authorization: holder };
  const { body: plan } = await world.ask(
    'POST',
    `${place}/release-plans`,
    { templateId: await newTemplate(world) },
    by,
  );
  const [few, half] = plan.milestones;
  await world.ask('POST', `${place}/release-plans/${plan.id}/milestones/${half.id}/start`, undefined, by);
  await world.ask('DELETE', `${place}/progressions/${few.id}`, undefined, by);
  // To add one that pauses the plan needs no approval, so it is not a change under the override.
  for (const path of [`${place}/release-plans/${plan.id}/safeguards`, `${place}/safeguards`]) {
    const { body: added } = await world.ask('PUT', path, safeguard, by);
    await world.ask('DELETE', `${path}/${added.id}`, undefined, by);
  }
  await world.ask('DELETE', `${place}/release-plans/${plan.id}`, undefined, by);
  const { body } = await world.ask('GET', `/api/admin/projects/${projectId}/change-requests/${id}`);
  expect(body.features[0].changes.map(({ action }: { action: string }) => action)).toEqual([
    ...['addReleasePlan', 'startMilestone', 'deleteMilestoneProgression', 'deleteReleasePlanSafeguard'],
    ...['changeFeatureEnvSafeguard', 'deleteFeatureEnvSafeguard', 'deleteReleasePlan'],
  ]);
});
