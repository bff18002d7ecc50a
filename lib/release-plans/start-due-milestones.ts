import type { FlagRequest } from '../entity/effects.ts';
import { ignoreNotFound, notFound } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { changeFeature, type FeatureChangePlan } from '../features/change-feature.ts';
import { switchOffWithoutStrategy } from '../features/environments/switch-feature.ts';
import { environmentOfFeature, withFeatureEnvironment } from '../features/feature.ts';
import { loadFeatureIn } from '../features/feature-store.ts';
import type { StoredFeature } from '../features/items/feature-items.ts';
import * as featureKeys from '../features/keys.ts';
import { milestoneStarted } from '../features/plans/plan-events.ts';
import {
  findActiveMilestone,
  findTimedMilestone,
  startMilestone,
  withMilestone,
} from '../features/plans/release-plan.ts';
import type { Request } from '../request.ts';
import { dueUntil, type Key } from '../store/client/definition.ts';
import { tryTransact } from '../store/transactions/transact.ts';
import { workThrough } from '../store/work-through.ts';
import type { TimeBudget } from '../values/time-budget.ts';

/** A plan whose next milestone is due. */
interface DueStep {
  readonly at: string;
  readonly environment: string;
  readonly featureName: string;
}

/**
 * Returns the step of an item in the list of the clock.
 * @internal
 */
export function parseDueStep({ sk }: Pick<Key, 'sk'>): DueStep {
  const [at = '', environment = '', featureName = ''] = sk.split('#');
  return { at, environment, featureName };
}

/** The number of milestones that start at the same time. */
const startsAtOnce = 25;

interface StartOptions {
  readonly budget?: TimeBudget | undefined;
  /** Runs before each start, which it may make unnecessary. If it fails, the milestone waits for the next call. */
  readonly beforeStart?: (step: DueStep) => Promise<void>;
}

/**
 * Starts the milestones that are due by their plans. Several processes can do this at the same time, and each can die at any point: a
 * milestone starts only if its plan still waits for this time, under the version of the feature. After an outage a plan moves on by one
 * milestone, and the next interval begins then.
 * @returns false if some are left for the next call.
 * @throws Error the first failure, after all other milestones.
 */
export function startDueMilestones(
  request: FlagRequest,
  now: Date,
  { budget, beforeStart }: StartOptions = {},
): Promise<boolean> {
  const options = { upTo: dueUntil(now), atOnce: startsAtOnce, budget };
  return workThrough<Key>(request, featureKeys.planSteps(), options, async (item) => {
    const step = parseDueStep(item);
    await beforeStart?.(step);
    // The plans were approved with their times, so their starts need no further approval. A feature that was deleted meanwhile has no
    // steps any more.
    await ignoreNotFound(startOrForget(request, step));
  });
}

/** Starts the milestone of a due step, or removes a step for which no plan waits: an earlier release or a partial restore can leave one. */
async function startOrForget(request: FlagRequest, step: DueStep): Promise<void> {
  const { at, environment, featureName } = step;
  const { value: isStarted, version } = await changeFeature(request, systemUser, planDueMilestone(request, step));
  if (isStarted) return;
  await tryTransact(
    request,
    { remove: featureKeys.planStep(at, environment, featureName) },
    { check: featureKeys.feature(featureName), when: { version } },
  );
}

/**
 * Plans to start the milestone of a due step, unless the plan waits for another time by now. The result tells whether it starts.
 * @throws ApiError 404 for an unknown feature.
 * @internal
 */
export function planDueMilestone(
  request: Request,
  { at: dueAt, environment, featureName }: DueStep,
): FeatureChangePlan<{ readonly stored: StoredFeature | undefined }, boolean> {
  return {
    name: featureName,
    likelyEvents: 2,
    read: async () => ({ stored: await loadFeatureIn(request, featureName, [environment]) }),
    decide: ({ stored }, at) => {
      if (stored === undefined) throw notFound('feature', featureName);
      const { feature } = stored;
      const state = environmentOfFeature(feature, environment);
      const before = state.plan && findActiveMilestone(state.plan);
      const milestone = state.plan && findTimedMilestone(state.plan);
      if (state.plan === undefined || !before || !milestone || state.nextAt !== dueAt)
        return { stored, after: feature, events: [], value: false };
      const executed = withMilestone(state.plan, { ...before, progressionExecutedAt: at });
      const plan = startMilestone(executed, milestone.id, at);
      const switched = switchOffWithoutStrategy(feature, environment, state, { ...state, plan });
      return {
        stored,
        after: withFeatureEnvironment(feature, environment, switched.state),
        events: [
          milestoneStarted(feature, environment, plan, { milestone, before, isByTime: true }),
          ...switched.events,
        ],
        value: true,
      };
    },
  };
}
