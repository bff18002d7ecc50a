import { equal } from 'node:assert/strict';
import type { Item, StoredEvent } from '../harness/items.ts';
import type { FeatureInItems } from './stored-feature.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A milestone in an item or an event, as far as it is followed. */
interface Milestone {
  readonly id: string;
  readonly name: string;
  readonly transitionCondition?: { readonly intervalMinutes: number };
  readonly startedAt?: string;
  readonly strategies: readonly Fields[];
}

/** A release plan as an item has it. */
export interface StoredPlan {
  readonly id: string;
  readonly name: string;
  readonly activeMilestoneId?: string | null;
  readonly pausedAt?: string;
  readonly movedOnAt?: string;
  readonly milestones: readonly Milestone[];
  readonly safeguards?: readonly unknown[];
}

/** A release plan as far as events tell of it. The strategies of all milestones are listed by id. */
export interface FollowedPlan extends Omit<StoredPlan, 'milestones' | 'safeguards'> {
  readonly milestones: readonly (Omit<Milestone, 'strategies'> & {
    readonly strategies: Readonly<Record<string, Fields>>;
  })[];
}

/** Lists the live strategies: those of the active milestone, and those of the feature itself. */
export function liveStrategies({
  plan,
  strategies,
}: {
  readonly plan: StoredPlan | undefined;
  readonly strategies: readonly Fields[];
}): readonly Fields[] {
  const active = plan?.milestones.find(({ id }) => id === plan.activeMilestoneId);
  return [...(active?.strategies ?? []), ...strategies];
}

/** Returns the part of a plan, from an item or an event, that events tell of. */
export function followedPlan({ id, name, activeMilestoneId, milestones, ...pause }: StoredPlan): FollowedPlan {
  const { pausedAt, movedOnAt } = pause;
  return {
    ...{ id, name },
    ...(activeMilestoneId && { activeMilestoneId }),
    ...(pausedAt !== undefined && { pausedAt }),
    ...(movedOnAt !== undefined && { movedOnAt }),
    milestones: milestones.map((milestone) => ({
      ...{ id: milestone.id, name: milestone.name },
      ...(milestone.transitionCondition && { transitionCondition: milestone.transitionCondition }),
      ...(milestone.startedAt !== undefined && { startedAt: milestone.startedAt }),
      strategies: Object.fromEntries(milestone.strategies.map((strategy) => [strategy.id, followedStrategy(strategy)])),
    })),
  };
}

/** Returns the followed part of a plan as replies show it: its active milestone shows a pause. */
export function planInReply(plan: StoredPlan): FollowedPlan {
  const milestones: readonly (Milestone & { readonly pausedAt?: string })[] = plan.milestones;
  const pausedAt = milestones.find((milestone) => milestone.pausedAt !== undefined)?.pausedAt;
  return followedPlan({ ...plan, ...(pausedAt !== undefined && { pausedAt }) });
}

function followedStrategy({
  sortOrder: _sortOrder,
  featureName: _featureName,
  milestoneId: _milestoneId,
  strategyName: _strategyName,
  ...strategy
}: Fields): Fields {
  return strategy;
}

interface WithPlan {
  readonly plan: FollowedPlan | undefined;
}

/**
 * Follows an event that is about a plan; undefined for another event. A milestone that has started since has the time of the event, so
 * that a start without an event, or an event without a start, shows.
 * @throws AssertionError for an event that does not follow from those before it.
 */
export function followPlan({ plan }: WithPlan, { type, data, preData, createdAt }: StoredEvent): WithPlan | undefined {
  if (type === 'release-plan-added') {
    equal(plan, undefined, 'a plan was added to another one');
    return { plan: followedPlan(data as unknown as StoredPlan) };
  }
  if (/^feature-strategy-(update|remove)$/.test(type)) return followStrategy(plan, data, preData);
  if (!/^(release-plan|milestone-progression)-/.test(type)) return undefined;
  const { id } = (data ?? preData ?? {}) as Fields;
  if (plan === undefined || plan.id !== id) equal(id, plan?.id, `a ${type} event is about another plan`);
  if (plan === undefined) return undefined;
  switch (type) {
    case 'release-plan-removed':
      return { plan: undefined };
    case 'release-plan-progressions-paused': {
      equal(standsStill(plan), false, 'a plan was paused that stood still');
      const { movedOnAt: _movedOnAt, ...others } = plan;
      return { plan: { ...others, pausedAt: createdAt } };
    }
    case 'release-plan-progressions-resumed': {
      const { pausedAt, movedOnAt: _movedOnAt, ...resumed } = plan;
      equal(pausedAt === undefined, false, 'a plan was resumed that was not paused');
      return { plan: resumed };
    }
    case 'release-plan-milestone-started':
      equal(preData?.milestoneId, plan.activeMilestoneId, 'another milestone was active before');
      return {
        plan: {
          ...withMilestone(plan, String(data?.milestoneId), (milestone) => ({ ...milestone, startedAt: createdAt })),
          activeMilestoneId: String(data?.milestoneId),
          ...(plan.pausedAt !== undefined && { movedOnAt: createdAt }),
        },
      };
    case 'milestone-progression-changed':
    case 'milestone-progression-deleted': {
      const { sourceMilestone } = (data ?? preData) as Fields;
      const transition = data?.transitionCondition as Milestone['transitionCondition'];
      return {
        plan: withMilestone(plan, String(sourceMilestone), ({ transitionCondition: _old, ...milestone }) => ({
          ...milestone,
          ...(transition && { transitionCondition: transition }),
        })),
      };
    }
    default:
      return { plan };
  }
}

/** Tells whether a plan is paused, and no milestone was started since. */
function standsStill({ pausedAt, movedOnAt }: Pick<StoredPlan, 'pausedAt' | 'movedOnAt'>): boolean {
  return pausedAt !== undefined && movedOnAt === undefined;
}

type FollowedMilestone = FollowedPlan['milestones'][number];

function withMilestone(
  plan: FollowedPlan,
  wanted: string,
  change: (milestone: FollowedMilestone) => FollowedMilestone,
): FollowedPlan {
  const milestones = plan.milestones.map((milestone) => (milestone.id === wanted ? change(milestone) : milestone));
  return { ...plan, milestones };
}

/** Follows a changed or removed strategy of a milestone; undefined for one of the feature itself. */
function followStrategy(
  plan: FollowedPlan | undefined,
  data: Fields | null,
  preData: Fields | null,
): WithPlan | undefined {
  const id = String(preData?.id);
  const milestone = plan?.milestones.find(({ strategies }) => id in strategies);
  if (plan === undefined || milestone === undefined) return undefined;
  const { [id]: _old, ...others } = milestone.strategies;
  const strategies = data === null ? others : { ...others, [id]: followedStrategy(data) };
  return { plan: withMilestone(plan, milestone.id, (each) => ({ ...each, strategies })) };
}

/**
 * Lists the contradictions between features and the lists of the clock: the steps of plans that run, with the time that their feature
 * knows, and the features whose safeguards are watched. No entry is missing, and none is left.
 */
export function clockListProblems(items: readonly Item[], features: ReadonlyMap<string, FeatureInItems>): string[] {
  const wanted = [...features.values()].flatMap(({ name, fields, environments, summaries }) =>
    [...environments].flatMap(([environment, { enabled, plan, safeguards }]) => {
      const { nextAt } = (summaries.get(environment) as Summary | undefined)?.plan ?? {};
      const isLive = enabled && fields.archivedAt === null;
      const hasBegun = isLive && plan?.activeMilestoneId !== undefined;
      const isRunning = hasBegun && plan.pausedAt === undefined;
      const isWatched = hasBegun && !standsStill(plan);
      const isGuarded = isLive && safeguards.length + (isWatched ? (plan.safeguards ?? []).length : 0) > 0;
      return [
        ...(isRunning && isTimed(plan) ? [`PLAN_STEPS ${nextAt}#${environment}#${name}`] : []),
        ...(isGuarded ? [`GUARDED ${environment}#${name}`] : []),
      ];
    }),
  );
  const listed = items.filter(({ pk }) => pk === 'PLAN_STEPS' || pk === 'GUARDED').map(({ pk, sk }) => `${pk} ${sk}`);
  return [
    ...[...new Set(wanted).difference(new Set(listed))].map((each) => `the clock does not know ${each}`),
    ...[...new Set(listed).difference(new Set(wanted))].map((each) => `the clock has ${each}, which no feature wants`),
  ];
}

interface Summary {
  readonly plan?: { readonly nextAt?: string };
}

/** Tells whether the milestone after the active one starts by itself. */
function isTimed({ milestones, activeMilestoneId }: StoredPlan): boolean {
  const index = milestones.findIndex(({ id }) => id === activeMilestoneId);
  return milestones[index]?.transitionCondition !== undefined && milestones[index + 1] !== undefined;
}
