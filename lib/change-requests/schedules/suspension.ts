import type { ChangeUnit, FeatureAfter, FlagRequest } from '../../entity/effects.ts';
import type { NewEvent } from '../../events/event.ts';
import type { EventType } from '../../events/event-schema.ts';
import { type Request, withAllProjects } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { type ChangeRequest, isSwitchingOn } from '../change-request.ts';
import { changeRequests, decideSuspension } from '../change-requests.ts';
import { findPlanReason } from './plan-reasons.ts';
import { findReasonAgainst } from './reasons.ts';
import { scheduleIdsOf } from './schedule-references.ts';

/** Returns a request whose changes suspend the schedules that they invalidate, in the same transaction. */
export function withSuspension<R extends Request>(request: R): R & FlagRequest {
  return { ...request, effectsOf: suspendSchedules };
}

/** Does the same as `withSuspension` for the application of a change request, which does not suspend its own schedule. */
export function withSuspensionOfOthers<R extends Request>(request: R, id: number): R & FlagRequest {
  return { ...request, effectsOf: (sender, units) => suspendAllBut(id, sender, units) };
}

/**
 * Returns the units that suspend the schedules which direct changes of features and segments invalidate. The changed
 * things refer to their schedules, so nothing is read if there are none.
 */
export function suspendSchedules(request: Request, units: readonly ChangeUnit[]): Promise<ChangeUnit[]> {
  return suspendAllBut(undefined, request, units);
}

async function suspendAllBut(
  ownId: number | undefined,
  request: Request,
  units: readonly ChangeUnit[],
): Promise<ChangeUnit[]> {
  const ids = new Set(units.flatMap(({ flag }) => scheduleIdsOf(flag)).filter((id) => id !== ownId));
  if (ids.size === 0) return [];
  const byId = await changeRequests.findSomeVersioned(withAllProjects(request), ids);
  return [...byId.values()].filter(isPending).flatMap((scheduled) => {
    const reason = findReason(scheduled.value, units);
    if (reason === undefined) return [];
    return [{ subject: `schedule of change request "${scheduled.value.id}"`, ...decideSuspension(scheduled, reason) }];
  });
}

function isPending({ value: { state, schedule } }: Versioned<ChangeRequest>): boolean {
  return state === 'Scheduled' && schedule?.status === 'pending';
}

function findReason(scheduled: ChangeRequest, units: readonly ChangeUnit[]): string | undefined {
  const { changes, environment } = scheduled;
  const isInEnvironment = (event: NewEvent) => event.environment === undefined || event.environment === environment;
  const reasons = units.flatMap(({ events }) =>
    events.filter(isInEnvironment).flatMap((event) => changes.map((change) => findReasonAgainst(change, event))),
  );
  return (
    reasons.find((reason) => reason !== undefined) ??
    units
      .map((unit) => findPlanReason(scheduled, unit) ?? reasonOfNoStrategy(scheduled, unit))
      .find((reason) => reason !== undefined)
  );
}

const strategyEvents: readonly EventType[] = [
  ...(['feature-strategy-remove', 'feature-strategy-update', 'release-plan-removed'] as const),
];

/**
 * Returns the reason to suspend a schedule that switches on a feature whose last enabled strategy was removed: the feature
 * would get the default strategy, which nobody has approved.
 */
function reasonOfNoStrategy({ changes, environment }: ChangeRequest, { events, flag }: ChangeUnit): string | undefined {
  const feature = flag?.after;
  if (feature === undefined || !events.some(({ type }) => strategyEvents.includes(type))) return undefined;
  const { strategies, plan } = feature.environments.get(environment) ?? {};
  // A feature with a plan gets the strategies of its milestones instead of the default strategy.
  const areAllDisabled = plan === undefined && strategies?.every(({ disabled }) => disabled);
  return areAllDisabled && switchesOnWithoutStrategy(changes, feature)
    ? 'The feature no longer has an enabled strategy.'
    : undefined;
}

function switchesOnWithoutStrategy(changes: ChangeRequest['changes'], { name }: FeatureAfter): boolean {
  const featureChanges = changes.filter(({ feature }) => feature === name);
  const addsStrategy = featureChanges.some(({ action }) => action === 'addStrategy' || action === 'updateStrategy');
  return !addsStrategy && featureChanges.some((change) => isSwitchingOn(change) && change.adds === undefined);
}
