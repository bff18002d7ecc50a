import type { FeatureAfter, FlagRequest, Step } from '../../entity/step.ts';
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
  return { ...request, effectsOf: (ours, steps) => suspendAllBut(id, ours, steps) };
}

/**
 * Returns the steps that suspend the schedules which direct changes of features and segments invalidate. The schedules are
 * named by what is changed, so that nothing is read where there are none.
 */
export function suspendSchedules(request: Request, steps: readonly Step[]): Promise<Step[]> {
  return suspendAllBut(undefined, request, steps);
}

async function suspendAllBut(own: number | undefined, request: Request, steps: readonly Step[]): Promise<Step[]> {
  const ids = new Set(steps.flatMap(({ flag }) => schedulesOn(flag)).filter((id) => id !== own));
  if (ids.size === 0) return [];
  const found = await changeRequests.someVersioned(withAllProjects(request), ids);
  return [...found.values()].filter(isPending).flatMap((scheduled) => {
    const reason = reasonToSuspend(scheduled.value, steps);
    if (reason === undefined) return [];
    return [{ what: `schedule of change request "${scheduled.value.id}"`, ...decideSuspension(scheduled, reason) }];
  });
}

function isPending({ value: { state, schedule } }: Versioned<ChangeRequest>): boolean {
  return state === 'Scheduled' && schedule?.status === 'pending';
}

function reasonToSuspend(scheduled: ChangeRequest, steps: readonly Step[]): string | undefined {
  const { changes, environment } = scheduled;
  const isThere = (event: NewEvent) => event.environment === undefined || event.environment === environment;
  const reasons = steps.flatMap(({ events }) =>
    events.filter(isThere).flatMap((event) => changes.map((change) => reasonAgainst(change, event))),
  );
  return (
    reasons.find((reason) => reason !== undefined) ??
    steps.map((step) => reasonOfNoStrategy(scheduled, step)).find((reason) => reason !== undefined)
  );
}

const strategyEvents: readonly EventType[] = ['feature-strategy-remove', 'feature-strategy-update'];

/** A feature that is switched on without an enabled strategy would get the default one, which nobody has approved. */
function reasonOfNoStrategy({ changes, environment }: ChangeRequest, { events, flag }: Step): string | undefined {
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
