import { describe, expect } from 'vitest';
import { createReviewTeam } from '../../harness/change-requests.ts';
import { readState } from '../../harness/features.ts';
import { makePlanned, makeTemplate } from '../../harness/release-plans.ts';
import { test, worldForEach } from '../../specifications/specify.ts';

/* The requests that Unleash's admin UI 7.6.5 sent in a browser, field by field; only ids and names are those of the test. */

const templates = '/api/admin/release-plan-templates';

const sentStrategy = (id: string, rollout: string) => ({
  name: 'flexibleRollout',
  id,
  title: '',
  constraints: [],
  parameters: { rollout, stickiness: 'default', groupId: '{{featureName}}' },
  variants: [],
  sortOrder: 0,
});

const newTemplate = {
  name: 'Careful rollout',
  description: 'A tenth, then all',
  milestones: [
    {
      id: '3b4d25f9-15ec-4a14-8e49-6945c59af8a0',
      name: 'Milestone 1',
      sortOrder: 0,
      strategies: [sentStrategy('f7603923-8c6e-45c5-bd95-be413da60b23', '10')],
    },
    {
      id: 'dbcf7b9f-be0f-478b-9c58-eb092cf8e44f',
      name: 'Milestone 2',
      sortOrder: 1,
      strategies: [sentStrategy('1200cbee-445e-4cf0-9ff8-9ab319cd243f', '100')],
    },
  ],
};

interface Part {
  readonly id: string;
  readonly [field: string]: unknown;
}

interface Template {
  readonly id: string;
  readonly milestones: readonly (Part & { readonly strategies: readonly Part[] })[];
}

/** The milestones of a template as the form sends them back: as they were answered, without the old name of the strategy's type. */
const sentBack = ({ milestones }: Template) =>
  milestones.map(({ strategies, ...milestone }) => ({
    ...milestone,
    strategies: strategies.map(({ strategyName: _strategyName, name, ...strategy }) => ({ name, ...strategy })),
  }));

const safeguard = (threshold: number) => ({
  impactMetric: {
    metricName: 'errors',
    timeRange: 'day',
    aggregationMode: 'count',
    labelSelectors: { environment: ['development'] },
    source: 'internal',
  },
  triggerCondition: { operator: '>', threshold },
});

describe("The requests of Unleash's admin UI 7.6.5 about release plans", () => {
  const { service, world } = worldForEach();
  const send = (method: string, path: string, body?: object) =>
    service.call(method, path, body === undefined ? {} : { body });
  /** Makes a feature that is on, with a plan whose milestones have no time yet. */
  const makePlan = async () => {
    const milestones = newTemplate.milestones.map(({ id: _id, ...milestone }) => milestone);
    const { name, path, plan } = await makePlanned(world, { milestones });
    const [first, second] = plan.milestones;
    if (first === undefined || second === undefined) throw new Error('Two milestones are needed.');
    const state = () => readState(service, name);
    const planNow = async () => (await state()).releasePlans[0];
    return { path, here: path.slice(0, path.lastIndexOf('/')), plan, first, second, state, planNow };
  };

  test('create, change and archive a template', async () => {
    const { status, body: created } = await send('POST', templates, newTemplate);
    expect(status).toBe(201);
    expect(created).toMatchObject({ name: 'Careful rollout', milestones: [{ name: 'Milestone 1' }, {}] });

    const changed = { name: 'Careful rollout', description: 'Slowly', milestones: sentBack(created) };
    expect(await send('PUT', `${templates}/${created.id}`, changed)).toMatchObject({
      status: 200,
      body: { ...created, description: 'Slowly' },
    });

    // A new milestone and its strategies come with ids that the page has made.
    const [milestone] = newTemplate.milestones;
    const added = { ...milestone, name: 'Milestone 3', sortOrder: 2 };
    const longer = { ...changed, milestones: [...sentBack(created), added] };
    expect((await send('PUT', `${templates}/${created.id}`, longer)).body.milestones).toMatchObject([
      ...created.milestones.map(({ id }: Part) => ({ id })),
      { name: 'Milestone 3', strategies: [{ strategyName: 'flexibleRollout' }] },
    ]);

    expect((await send('POST', `${templates}/archive/${created.id}`)).status).toBe(200);
    expect((await service.get(`${templates}/${created.id}`)).body.archivedAt).toEqual(expect.any(String));
  });

  test('add a plan, start a milestone and remove the plan', async () => {
    const { id: templateId } = (await send('POST', templates, newTemplate)).body;
    const { path, plan, second, planNow } = await makePlan();
    expect((await send('POST', path, { templateId })).status).toBe(200);
    const { id, milestones } = await planNow();
    expect(id).not.toBe(plan.id);
    expect((await send('POST', `${path}/${id}/milestones/${milestones[1].id}/start`)).status).toBe(200);
    expect(await planNow()).toMatchObject({ activeMilestoneId: milestones[1].id });
    expect(second.id).not.toBe(milestones[1].id);
    expect((await send('DELETE', `${path}/${id}`)).status).toBe(204);
    expect(await planNow()).toBeUndefined();
  });

  test('set, change and remove the time of a milestone, and resume a plan', async () => {
    const { here, plan, first, second, planNow } = await makePlan();
    const time = `${here}/progressions/${first.id}`;
    const timed = (intervalMinutes: number) => ({
      targetMilestone: second.id,
      transitionCondition: { intervalMinutes },
    });
    expect((await send('PUT', time, { sourceMilestone: first.id, ...timed(300) })).status).toBe(200);
    expect((await send('PUT', time, timed(540))).status).toBe(200);
    // The page computes the next start from these two.
    expect((await planNow()).milestones[0]).toMatchObject({
      startedAt: expect.any(String),
      transitionCondition: { intervalMinutes: 540 },
    });

    await send('POST', `${here}/progressions/${plan.id}/pause`);
    expect((await planNow()).milestones[0].pausedAt).toEqual(expect.any(String));
    expect((await send('POST', `${here}/progressions/${plan.id}/resume`)).status).toBe(200);
    expect((await planNow()).milestones[0]).not.toHaveProperty('pausedAt');

    expect((await send('DELETE', time)).status).toBe(200);
    expect((await planNow()).milestones[0]).not.toHaveProperty('transitionCondition');
  });

  test('change a strategy of a milestone', async () => {
    const { here, second, planNow } = await makePlan();
    const sent = {
      name: 'flexibleRollout',
      title: 'Six tenths',
      constraints: [],
      parameters: { rollout: '60', stickiness: 'default', groupId: 'new-checkout' },
      variants: [],
      segments: [],
      disabled: false,
    };
    expect((await send('PUT', `${here}/milestone-strategies/${second.strategies[0]?.id}`, sent)).status).toBe(200);
    expect((await planNow()).milestones[1].strategies).toMatchObject([sent]);
  });

  test('set, change and remove the safeguard of a plan, and that of an environment', async () => {
    const { path, here, plan, state, planNow } = await makePlan();
    const places = [
      [`${path}/${plan.id}/safeguards`, async () => (await planNow()).safeguards],
      [`${here}/safeguards`, async () => (await state()).safeguards],
    ] as const;
    for (const [place, read] of places) {
      expect((await send('PUT', place, safeguard(3))).status).toBe(200);
      expect((await send('PUT', place, safeguard(2))).status).toBe(200);
      const [{ id }, ...others] = await read();
      expect([await read(), others]).toMatchObject([[safeguard(2)], []]);
      expect((await send('DELETE', `${place}/${id}`)).status).toBe(204);
      expect(await read()).toEqual([]);
    }
  });

  test('keep the action of a safeguard, which the form does not know', async () => {
    const { path, plan, planNow } = await makePlan();
    const place = `${path}/${plan.id}/safeguards`;
    const action = { type: 'startPreviousMilestone' };
    const { body: made } = await send('PUT', place, { ...safeguard(3), action });
    expect(made).toMatchObject({ action });
    expect((await send('PUT', place, safeguard(2))).body).toMatchObject({ id: made.id, ...safeguard(2), action });
    expect((await planNow()).safeguards).toMatchObject([{ id: made.id, action }]);
  });

  test('suggest a change of a strategy of a milestone, and edit the suggestion', async () => {
    const { place, name: feature, project, author, reviewer, ask, bring, apply } = await createReviewTeam(world);
    await send('POST', `${place}/on`);
    const { body: plan } = await send('POST', `${place}/release-plans`, { templateId: await makeTemplate(world) });
    const { id } = plan.milestones[1].strategies[0];
    const payload = {
      name: 'flexibleRollout',
      title: 'A bit more',
      constraints: [],
      parameters: { rollout: '55', stickiness: 'default', groupId: feature },
      variants: [],
      segments: [],
      disabled: false,
      id,
    };
    const { status, body: draft } = await ask(author, { action: 'updateMilestoneStrategy', feature, payload });
    expect(status).toBe(200);
    const [change] = draft.features[0].changes;
    // The form sends the snapshot back, which is the plan as it was.
    const edited = { ...payload, title: 'Much more', snapshot: change.payload.snapshot };
    const path = `${project}/change-requests/${draft.id}/changes/${change.id}`;
    const body = { action: 'updateMilestoneStrategy', feature, payload: edited };
    expect((await service.call('PUT', path, { body, headers: { authorization: author } })).status).toBe(200);
    await bring(author, draft.id, { state: 'In review', comment: '' });
    await bring(reviewer, draft.id, { state: 'Approved' });
    expect((await apply(draft.id)).status).toBe(200);
    const [applied] = (await service.get(`${place}/release-plans`)).body;
    expect(applied.milestones[1].strategies).toMatchObject([{ ...payload, title: 'Much more' }]);
  });
});
