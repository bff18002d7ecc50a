import { type Effects, noEffects, together } from '../entity/change.ts';
import type { NewEvent } from '../events/event.ts';
import type { EventType } from '../events/event-schema.ts';
import { everything, type Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { sha256 } from '../values/sha256.ts';
import { type ChangeRequest, isActivating, isSwitchingOn, type RequestedChange } from './change-request.ts';
import { changeRequests, suspended } from './change-requests.ts';
import { driftOf } from './differences.ts';

/** A thing that requests under a schedule touch. */
export interface Scheduled {
  /** JSON: their ids; missing where there are none. */
  readonly schedules?: string | undefined;
}

/** Returns the ids of the requests under a schedule that touch a thing. */
export function schedulesOn(thing: Scheduled | undefined): number[] {
  return JSON.parse(thing?.schedules ?? '[]');
}

/** A feature as a change leaves it, as far as a schedule rests on it. */
interface Left {
  readonly name: string;
  readonly environments: ReadonlyMap<
    string,
    { readonly strategies: readonly { readonly disabled?: boolean | undefined }[] }
  >;
}

/**
 * Reads the requests that wait for their time and touch what somebody is about to change directly. They stand on it, so that
 * nothing is asked of the store where there are none.
 * @param except the request that is applied itself.
 */
export async function loadScheduledOn(
  request: Request,
  things: Iterable<Scheduled | undefined>,
  except?: number,
): Promise<Versioned<ChangeRequest>[]> {
  const ids = new Set([...things].flatMap(schedulesOn));
  ids.delete(except ?? 0);
  if (ids.size === 0) return [];
  const found = await changeRequests.someVersioned(everything(request), ids);
  return [...found.values()].filter(({ value }) => value.state === 'Scheduled' && value.schedule?.status === 'pending');
}

/** Returns the effects of suspending each request, as `suspensions` does, for a change that may take several transactions. */
export function suspendedBy(
  scheduled: readonly Versioned<ChangeRequest>[],
  events: readonly NewEvent[],
  left?: readonly Left[],
) {
  return scheduled.map((one) => ({
    what: `schedule of change request "${one.value.id}"`,
    ...suspensions([one], events, left),
  }));
}

/**
 * Returns the effects of suspending the schedules of requests whose ground a direct change takes, as its events tell: they are
 * part of its transaction.
 * @param left the features as the change leaves them, where it may remove strategies.
 */
export function suspensions(
  scheduled: readonly Versioned<ChangeRequest>[],
  events: readonly NewEvent[],
  left: readonly Left[] = [],
): Effects {
  const effects = scheduled.map((one) => {
    const reason = reasonAgainst(one.value, events) ?? reasonOfIdle(one.value, events, left);
    return reason === undefined ? noEffects : suspended(one, reason);
  });
  return together(effects);
}

function reasonAgainst({ changes, environment }: ChangeRequest, events: readonly NewEvent[]): string | undefined {
  const there = events.filter((event) => event.environment === undefined || event.environment === environment);
  return there
    .flatMap((event) => changes.map((change) => reasonAgainstChange(change, event)))
    .find((reason) => reason !== undefined);
}

/** A feature that is switched on without an enabled strategy would get the default one, which nobody has approved. */
function reasonOfIdle({ changes, environment }: ChangeRequest, events: readonly NewEvent[], left: readonly Left[]) {
  const strategyEvents: readonly EventType[] = ['feature-strategy-remove', 'feature-strategy-update'];
  const hasLostAll = ({ name, environments }: Left) =>
    events.some((event) => event.featureName === name && strategyEvents.includes(event.type)) &&
    environments.get(environment)?.strategies.every(({ disabled }) => disabled);
  const isSwitchedOn = ({ name }: Left) => {
    const own = changes.filter(({ feature }) => feature === name);
    const bringsOne = own.some(({ action }) => action === 'addStrategy' || action === 'updateStrategy');
    return !bringsOne && own.some((change) => isSwitchingOn(change) && change.adds === undefined);
  };
  return left.some((feature) => hasLostAll(feature) && isSwitchedOn(feature))
    ? 'The feature has no enabled strategy any more.'
    : undefined;
}

const gone: Partial<Record<EventType, string>> = {
  'feature-archived': 'archived',
  'feature-deleted': 'deleted',
  'feature-project-change': 'moved to another project',
};

function reasonAgainstChange(change: RequestedChange, event: NewEvent): string | undefined {
  const { type, featureName, data } = event;
  const { id, feature: parent } = (change.payload ?? {}) as {
    readonly id?: string | number;
    readonly feature?: string;
  };
  if (featureName === undefined) return reasonOfSegment(change, event);
  const isParent = change.action === 'addDependency' && featureName === parent;
  if (change.feature !== featureName && !isParent) return undefined;
  if (gone[type] !== undefined) return `The feature "${featureName}" was ${gone[type]}.`;
  const isStrategy = id !== undefined && (data ?? event.preData)?.id === id;
  if (isActivating(change) && changesDisabled(event)) return 'A strategy was changed that it would enable.';
  switch (type) {
    case 'feature-environment-enabled':
    case 'feature-environment-disabled':
      if (change.action !== 'updateEnabled') return undefined;
      return reasonOfDrift(
        change,
        { enabled: type === 'feature-environment-enabled' },
        'feature was switched on or off',
      );
    case 'feature-strategy-update':
      if (isStrategy) return reasonOfDrift(change, data, 'strategy was updated');
      return data?.sortOrder === event.preData?.sortOrder ? undefined : reasonOfOrder(change);
    case 'feature-strategy-remove':
      return isStrategy ? `The strategy "${id}" was deleted.` : reasonOfOrder(change);
    case 'feature-strategy-add':
      if (change.adds !== undefined && data?.disabled !== true) return 'The feature has got a strategy.';
      return reasonOfOrder(change);
    case 'strategy-order-changed':
      return reasonOfOrder(change);
    case 'feature-environment-variants-updated':
      if (change.action !== 'patchVariant') return undefined;
      return reasonOfDrift(change, data?.variants, 'variants were updated');
    case 'feature-dependency-added':
    case 'feature-dependency-removed':
    case 'feature-dependencies-removed':
      if (change.action !== 'addDependency' && change.action !== 'deleteDependency') return undefined;
      return 'The dependencies were changed.';
    default:
      return undefined;
  }
}

/** Tells whether an event changes more of a disabled strategy than its place. */
function changesDisabled({ type, data, preData }: NewEvent): boolean {
  const isDisabled = [data, preData].some((strategy) => strategy?.disabled === true);
  return type.startsWith('feature-strategy-') && isDisabled && driftOf({ base: preData ?? null }, data).length > 0;
}

function reasonOfOrder({ action }: RequestedChange): string | undefined {
  return action === 'reorderStrategy' ? 'The strategies were put in another order.' : undefined;
}

function reasonOfDrift(change: RequestedChange, now: unknown, what: string): string | undefined {
  return driftOf(change, now).length > 0 ? `The ${what}.` : undefined;
}

function reasonOfSegment(change: RequestedChange, { type, data, preData }: NewEvent): string | undefined {
  if (type !== 'segment-updated' && type !== 'segment-deleted') return undefined;
  const { id, name, constraints } = (data ?? preData ?? {}) as { id?: number; name?: string; constraints?: unknown };
  const { id: own } = change.payload as { readonly id?: unknown };
  const isOwn = change.feature === null && own === id;
  const approved = change.uses?.[String(id)];
  if (type === 'segment-deleted') return isOwn || approved ? `The segment "${name}" was deleted.` : undefined;
  const isOther = approved !== undefined && approved !== sha256(JSON.stringify(constraints));
  return isOther || (isOwn && driftOf(change, data).length > 0) ? `The segment "${name}" was updated.` : undefined;
}
