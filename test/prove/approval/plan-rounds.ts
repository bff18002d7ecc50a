import fc from 'fast-check';
import { suspendSchedules } from '../../../lib/change-requests/schedules/suspension.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { configureChangeRequests } from '../../../lib/projects/change-request-config.ts';
import { startDueMilestones } from '../../../lib/release-plans/start-due-milestones.ts';
import { createReviewTeam } from '../../harness/change-requests.ts';
import type { World } from '../../harness/world.ts';
import { type PlanEvent, PlanStory } from './plan-story.ts';
import { flawsOfStory } from './rounds.ts';

/** A change that a member makes directly, or asks for. */
const changes = [
  ...(['start', 'resume', 'set the time', 'remove the time', 'widen', 'add a plan', 'remove the plan'] as const),
  ...(['add a safeguard', 'loosen it', 'remove it', 'switch on', 'switch off'] as const),
] as const;
/** Other things that happen to a plan. */
const others = ['pause', 'let the clock run', 'signal', 'edit the template', 'send', 'approve', 'apply'] as const;

interface Step {
  readonly does: (typeof changes)[number] | (typeof others)[number];
  /** The milestone that it is about. */
  readonly index: 0 | 1 | 2;
  readonly isAsked: boolean;
}

/** Steps on a feature with a plan; those of a list happen at the same time. */
export type PlanApprovalRound = readonly (readonly Step[])[];

const weights: Readonly<Partial<Record<Step['does'], number>>> = {
  ...{ start: 6, 'add a plan': 6, 'edit the template': 3, 'let the clock run': 6, pause: 2, resume: 3, signal: 4 },
  ...{ send: 6, approve: 8, apply: 10 },
};

const anyStep: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(
    ...[...changes, ...others].map((does) => ({ arbitrary: fc.constant(does), weight: weights[does] ?? 1 })),
  ),
  index: fc.constantFrom(0, 1, 2),
  isAsked: fc.boolean(),
});

const anySome = fc.array(anyStep, { maxLength: 2 });

/** A step, several at the same time, or a request with all that it takes. */
export const anyPlanApprovalRound: fc.Arbitrary<PlanApprovalRound> = fc
  .array(
    fc.oneof(
      fc.array(anyStep, { minLength: 1, maxLength: 4 }).map((together) => [together]),
      fc.record({ step: anyStep, later: anySome, meanwhile: anySome }).map(({ step, later, meanwhile }) => {
        const then = (does: Step['does']): Step[] => [{ does, index: 0, isAsked: false }];
        return [
          ...[[{ ...step, isAsked: true }], then('send'), then('approve'), later],
          [...then('apply'), ...meanwhile],
        ];
      }),
    ),
    { minLength: 4, maxLength: 8 },
  )
  .map((parts) => parts.flat());

const templates = '/api/admin/release-plan-templates';
const milestonesOf = (...shares: readonly [string, string, number?][]) =>
  shares.map(([name, rollout, intervalMinutes]) => ({
    ...{ name, strategies: [{ name: 'flexibleRollout', parameters: { rollout } }] },
    ...(intervalMinutes !== undefined && { transitionCondition: { intervalMinutes } }),
  }));
const threeMilestones = milestonesOf(['Few', '10', 60], ['Half', '50', 60], ['All', '100']);

const safeguardOf = (id: string, metricName: string, threshold: number) => ({
  ...{ id, action: { type: 'startPreviousMilestone' }, triggerCondition: { operator: '>', threshold } },
  impactMetric: { metricName, timeRange: 'hour', aggregationMode: 'count', labelSelectors: {} },
});

/** Answers that other requests may bring about. A token for signals ends with its safeguard, so that a late signal is a 401. */
const expected = new Set([200, 201, 204, 400, 401, 403, 404, 409]);

/** The outcomes of some rounds: the widenings by approved requests and by the clock, the refused direct changes, and more. */
export interface PlanOutcomes {
  approved: number;
  timed: number;
  refused: number;
  /** The times that a safeguard acted. */
  stopped: number;
}

/** Takes the steps of a round; returns everything that is wrong with the events and the plan afterwards. */
export async function flawsOfPlanApproval(
  world: World,
  round: PlanApprovalRound,
  outcomes: PlanOutcomes,
  disturbed: () => Disposable,
): Promise<readonly string[]> {
  const {
    projectId,
    environment,
    project,
    place,
    name: feature,
    author,
    reviewer,
    ...team
  } = await createReviewTeam(world);
  const required = { changeRequestsEnabled: true, requiredApprovals: 1 };
  await configureChangeRequests(world.service.table, systemUser, { projectId, environment }, required);
  const newTemplate = async () => {
    const { body } = await world.ask('POST', templates, { name: world.name('template'), milestones: threeMilestones });
    return body as { readonly id: string; readonly name: string };
  };
  const [first, second] = [await newTemplate(), await newTemplate()];
  await world.ask('POST', `${place}/strategies`, { name: 'flexibleRollout', parameters: { rollout: '0' } });
  await world.ask('POST', `${place}/on`);
  const { body: added } = await world.ask('POST', `${place}/release-plans`, { templateId: first.id });
  const guards = `${place}/release-plans/${added.id}/safeguards`;
  await world.ask('PUT', guards, safeguardOf('by-signal', 'signal', 0));
  const { body: signal } = await world.ask('POST', `${place}/safeguards/by-signal/signal-token`);
  const readPlan = async () => (await world.ask('GET', `${place}/release-plans`)).body[0];
  const readEvents = async (filter: string): Promise<PlanEvent[]> => {
    const { body } = await world.ask('GET', `/api/admin/search/events?${filter}&limit=1000`);
    return body.events.toSorted((a: PlanEvent, b: PlanEvent) => a.id - b.id);
  };
  const story = new PlanStory(await readPlan(), (await readEvents(`feature=IS:${feature}`)).at(-1)?.id ?? 0);

  const call = (authorization: string, method: string, path: string, body?: unknown) =>
    world.service.call(method, path, { headers: { authorization }, body });
  const requests = new Set<number>();
  const last = () => Math.max(0, ...requests);
  const ask = async (action: string, payload: object) => {
    const answer = await team.ask(author, { feature, action, payload });
    if (answer.status === 200) requests.add(answer.body.id);
    return answer;
  };

  async function take({ does, index, isAsked }: Step, plan: Awaited<ReturnType<typeof readPlan>>) {
    const planId: string = plan?.id ?? 'none';
    const milestone = plan?.milestones[index] ?? { id: 'none', strategies: [] };
    const next = plan?.milestones[index + 1] ?? milestone;
    const change = async (direct: readonly [string, string, object?], asked: readonly [string, object]) => {
      if (isAsked) return ask(...asked);
      const [method, path, body] = direct;
      const answer = await call(author, method, `${place}/${path}`, body);
      outcomes.refused += Number(answer.status === 403);
      return answer;
    };
    const guard = (threshold: number) => {
      const safeguard = safeguardOf('by-count', 'flag:evaluations', threshold);
      const path = `release-plans/${planId}/safeguards`;
      return change(['PUT', path, safeguard], ['changeReleasePlanSafeguard', { planId, safeguard }]);
    };
    const sourceMilestone = milestone.id;
    const time = { targetMilestone: next.id, transitionCondition: { intervalMinutes: 30 } };
    const strategy = { id: milestone.strategies[0]?.id ?? 'none', parameters: { rollout: '90' } };
    switch (does) {
      case 'start': {
        const path = `release-plans/${planId}/milestones/${milestone.id}/start`;
        return change(['POST', path], ['startMilestone', { planId, milestoneId: milestone.id }]);
      }
      case 'resume':
        return change(['POST', `progressions/${planId}/resume`], ['resumeMilestoneProgression', { planId }]);
      case 'set the time': {
        const asked = { sourceMilestone, ...time };
        return change(['PUT', `progressions/${sourceMilestone}`, time], ['changeMilestoneProgression', asked]);
      }
      case 'remove the time':
        return change(
          ['DELETE', `progressions/${sourceMilestone}`],
          ['deleteMilestoneProgression', { sourceMilestone }],
        );
      case 'widen':
        return change(
          ['PUT', `milestone-strategies/${strategy.id}`, { parameters: strategy.parameters }],
          ['updateMilestoneStrategy', strategy],
        );
      case 'add a plan':
        return change(
          ['POST', 'release-plans', { templateId: second.id }],
          ['addReleasePlan', { templateId: second.id }],
        );
      case 'remove the plan':
        return change(['DELETE', `release-plans/${planId}`], ['deleteReleasePlan', { planId }]);
      case 'add a safeguard':
        return guard(5);
      case 'loosen it':
        return guard(50);
      case 'remove it': {
        const safeguardId = 'by-count';
        const path = `release-plans/${planId}/safeguards/${safeguardId}`;
        return change(['DELETE', path], ['deleteReleasePlanSafeguard', { planId, safeguardId }]);
      }
      case 'switch on':
      case 'switch off': {
        const enabled = does === 'switch on';
        return change(['POST', enabled ? 'on' : 'off'], ['updateEnabled', { enabled }]);
      }
      case 'pause':
        return call(author, 'POST', `${place}/progressions/${planId}/pause`);
      case 'signal':
        return call(`Bearer ${signal.token}`, 'POST', '/safeguards/by-signal/signal', { reason: `${index}` });
      case 'let the clock run':
        await startDueMilestones(
          { ...world.service.table, effectsOf: suspendSchedules },
          new Date(Date.now() + 61 * 60_000),
        );
        return call(author, 'GET', place);
      case 'edit the template': {
        const milestones = index === 0 ? threeMilestones : milestonesOf(['At once', '100']);
        return world.service.call('PUT', `${templates}/${second.id}`, { body: { name: second.name, milestones } });
      }
      case 'send':
        return team.bring(author, last(), 'In review');
      case 'approve':
        return team.bring(reviewer, last(), 'Approved');
      case 'apply':
        return team.bring(reviewer, last(), 'Applied');
    }
  }

  const flaws: string[] = [];
  for (const together of round) {
    const plan = await readPlan();
    using _disturbed = disturbed();
    const answers = await Promise.all(together.map((step) => take(step, plan)));
    for (const [number, { status, text }] of answers.entries()) {
      if (!expected.has(status)) flaws.push(`${together[number]?.does} was answered ${status}: ${text}`);
    }
  }

  const approvedTemplates = new Map<number, unknown[]>();
  for (const id of requests) {
    const { body } = await world.ask('GET', `${project}/change-requests/${id}`, undefined, { authorization: author });
    flaws.push(...flawsOfStory(await readEvents(`groupId=IS:change-request-${id}`), 1));
    const asked = body.features.flatMap((each: { changes: { payload?: { template?: unknown } }[] }) => each.changes);
    const copies = asked.flatMap((each: { payload?: { template?: unknown } }) => each.payload?.template ?? []);
    if (body.state === 'Applied') approvedTemplates.set(id, copies);
  }
  for (const event of await readEvents(`feature=IS:${feature}`)) flaws.push(...story.tell(event, approvedTemplates));
  flaws.push(...story.compare(await readPlan(), (await world.ask('GET', place)).body.enabled));
  outcomes.approved += story.approved;
  outcomes.timed += story.timed;
  outcomes.stopped += story.stopped;
  return flaws;
}
