import type { ChangeUnit, FeatureAfter, FlagRequest } from '../../entity/effects.ts';
import type { NewEvent } from '../../events/event.ts';
import type { EventType } from '../../events/event-schema.ts';
import { type Request, withAllProjects } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { type ChangeRequest, isSwitchingOn } from '../change-request.ts';
import { changeRequests, decideSuspension } from '../change-requests.ts';
import { reasonAgainst } from './reasons.ts';
import { schedulesOn } from './schedule-references.ts';

/** A request whose changes suspend the schedules that they invalidate, in the same transaction. */
export function withSuspension<R extends Request>(request: R): R & FlagRequest {
  return { ...request, effectsOf: suspendSchedules };
}

/** As `withSuspension`, for the application of a change request: it leaves its own schedule alone. */
export function withSuspensionOfOthers<R extends Request>(request: R, id: number): R & FlagRequest {
  return { ...request, effectsOf: (ours, units) => suspendAllBut(id, ours, units) };
}

/**
 * Returns the units that suspend the schedules which direct changes of features and segments invalidate. The schedules are
 * named by what is changed, so that nothing is read where there are none.
 */
export function suspendSchedules(request: Request, units: readonly ChangeUnit[]): Promise<ChangeUnit[]> {
  return suspendAllBut(undefined, request, units);
}

async function suspendAllBut(
  own: number | undefined,
  request: Request,
  units: readonly ChangeUnit[],
): Promise<ChangeUnit[]> {
  const ids = new Set(units.flatMap(({ flag }) => schedulesOn(flag)).filter((id) => id !== own));
  if (ids.size === 0) return [];
  const found = await changeRequests.someVersioned(withAllProjects(request), ids);
  return [...found.values()].filter(isPending).flatMap((scheduled) => {
    const reason = reasonToSuspend(scheduled.value, units);
    if (reason === undefined) return [];
    return [{ what: `schedule of change request "${scheduled.value.id}"`, ...decideSuspension(scheduled, reason) }];
  });
}

function isPending({ value: { state, schedule } }: Versioned<ChangeRequest>): boolean {
  return state === 'Scheduled' && schedule?.status === 'pending';
}

function reasonToSuspend(scheduled: ChangeRequest, units: readonly ChangeUnit[]): string | undefined {
  const { changes, environment } = scheduled;
  const isThere = (event: NewEvent) => event.environment === undefined || event.environment === environment;
  const reasons = units.flatMap(({ events }) =>
    events.filter(isThere).flatMap((event) => changes.map((change) => reasonAgainst(change, event))),
  );
  return (
    reasons.find((reason) => reason !== undefined) ??
    units.map((unit) => reasonOfNoStrategy(scheduled, unit)).find((reason) => reason !== undefined)
  );
}

const strategyEvents: readonly EventType[] = ['feature-strategy-remove', 'feature-strategy-update'];

/** A feature that is switched on without an enabled strategy would get the default one, which nobody has approved. */
function reasonOfNoStrategy({ changes, environment }: ChangeRequest, { events, flag }: ChangeUnit): string | undefined {
  const left = flag?.after;
  if (left === undefined || !events.some(({ type }) => strategyEvents.includes(type))) return undefined;
  const isLast = left.environments.get(environment)?.strategies.every(({ disabled }) => disabled);
  return isLast && switchesOnWithoutStrategy(changes, left)
    ? 'The feature has no enabled strategy any more.'
    : undefined;
}

function switchesOnWithoutStrategy(changes: ChangeRequest['changes'], { name }: FeatureAfter): boolean {
  const own = changes.filter(({ feature }) => feature === name);
  const bringsOne = own.some(({ action }) => action === 'addStrategy' || action === 'updateStrategy');
  return !bringsOne && own.some((change) => isSwitchingOn(change) && change.adds === undefined);
}
