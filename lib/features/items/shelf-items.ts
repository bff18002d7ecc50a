import { randomInt } from 'node:crypto';
import type { Event } from '../../events/event-schema.ts';
import { type Attributes, itemBytesMax } from '../../store/item.ts';
import * as keys from '../../store/keys.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { Feature, FeatureEnvironment } from '../feature.ts';
import { deliveredState } from './delivered-feature.ts';
import type { EnvironmentSummary, FeatureHead, FeatureItem } from './feature-items.ts';
import { type WrittenItem, writtenOnShelf } from './written-item.ts';

/**
 * A feature on the shelf of its project, the partition from which lists, searches and SDKs are served: what its own item
 * says, but for what counts its changes. It is written in the transaction that changes the feature.
 */
export type ShelfItem = Omit<
  WrittenItem<FeatureItem>,
  'name' | 'project' | 'layout' | 'version' | 'firstEventId' | 'lastEventId' | 'eventCount' | 'childCount'
> & { readonly mark: number };

/**
 * What SDKs get of a feature in an environment, beside its item on the shelf, which every switch rewrites: the store
 * charges for the whole of an item, so that switching would cost as much as the strategies are large.
 */
export interface DeliveryItem {
  /** JSON: DeliveredState. */
  readonly state: string;
  /** The version of the feature that wrote it; what the feature says of the environment names it, too. */
  readonly version: number;
}

/** What is larger has no item on the shelf; a reader takes it from the feature's own partition. */
export const deliveryBytesMax = 300 * 1024;
/** As much of a transaction as deliveries may take, where a change rewrites those of many environments. */
const deliveriesBytesMax = 5 * itemBytesMax;

/**
 * A number that distinguishes one state of a feature from all others. Each project keeps the sum of the marks of its features in
 * several items, of which a transaction takes any. A reader has seen whole transactions exactly if the marks that it has
 * read add up to that sum: the store shows the items of a transaction one by one.
 */
export function newMark(): number {
  return randomInt(1, 2 ** 32);
}

/** Where a feature stands on a shelf, its mark there, and what its project counts of it. */
interface ShelfPlace {
  readonly project: string;
  readonly mark: number;
  readonly own: CountedItem;
}

/** What of a feature's own item its project counts. */
type CountedItem = Pick<FeatureItem, 'type' | 'stale' | 'archivedAt' | 'environments'>;

/**
 * The writes that put a feature on the shelf of its project, and take it off that of another.
 * @param events of the change; without any, it is none that lists of projects tell the time of.
 */
export function shelfWrites(
  name: string,
  before: ShelfPlace | undefined,
  after: Omit<ShelfPlace, 'own'> & { readonly own: CountedItem & Attributes },
  events: readonly Event[],
): Write[] {
  const { project, own } = after;
  return [
    ...(before === undefined || before.project === project
      ? []
      : [{ remove: keys.listedFeature(before.project, name) }]),
    { put: keys.listedFeature(project, name), item: shelved(own), what: `list entry of feature "${name}"` },
    ...markWrites(before, after, events),
  ];
}

/** The writes that take a feature off the shelf, with what SDKs get of it. */
export function shelfRemovals(
  { name, project, own, revision }: Pick<FeatureHead, 'name' | 'project' | 'own' | 'revision'>,
  events: readonly Event[],
): Write[] {
  const stored = [...revision.summaries].filter(([, { version }]) => version > 0);
  return [
    { remove: keys.listedFeature(project, name) },
    ...stored.map(([environment]) => ({ remove: keys.delivery(project, environment, name) })),
    ...markWrites({ project, mark: revision.mark, own }, undefined, events),
  ];
}

/** What a feature does in an environment, and the version of the feature that wrote it. */
export interface VersionedState {
  readonly environment: string;
  readonly state: Pick<FeatureEnvironment, 'strategies' | 'variants'>;
  readonly version: number;
}

/** The writes that keep ready what SDKs get of a feature in some environments. */
export function deliveryWrites(
  { name, project }: Pick<Feature, 'name' | 'project'>,
  states: readonly VersionedState[],
): Write[] {
  let total = 0;
  return states.map(({ environment, state, version }) => {
    const key = keys.delivery(project, environment, name);
    const text = JSON.stringify(deliveredState(state));
    const bytes = Buffer.byteLength(text);
    if (bytes > deliveryBytesMax || total + bytes > deliveriesBytesMax) return { remove: key };
    total += bytes;
    return { put: key, item: { state: text, version } };
  });
}

/** Under what a project keeps the sum of the marks of all features that came from another one. */
export const movesFrom = (project: string) => `in:${project}`;
/** Under what a project keeps the sum of the marks of all features that went to another one. */
export const movesTo = (project: string) => `out:${project}`;

/** The marks and the counts of the projects that a feature leaves and enters, and the time of the change. */
function markWrites(before: ShelfPlace | undefined, after: ShelfPlace | undefined, [event]: readonly Event[]): Write[] {
  const set = event && { [changedAt]: event.createdAt };
  const projects = new Set([before, after].flatMap((place) => place?.project ?? []));
  return [...projects].map((project) => {
    const amounts: Record<string, number> = {};
    const add = (place: ShelfPlace | undefined, sign: 1 | -1) => {
      if (place?.project !== project) return;
      for (const [name, amount] of Object.entries({ sum: place.mark, ...countsIn(place.own) })) {
        amounts[name] = (amounts[name] ?? 0) + sign * amount;
      }
    };
    add(before, -1);
    add(after, 1);
    if (projects.size > 1 && after !== undefined) {
      // Who reads two projects sees by these whether both were read before the move, or both after it.
      const name = project === after.project ? movesFrom(before?.project ?? '') : movesTo(after.project);
      amounts[name] = after.mark;
      amounts.moved = after.mark;
    }
    const changed = Object.entries(amounts).filter(([, amount]) => amount !== 0);
    const unless = after?.project === project ? closuresInTheWay(before, after) : [];
    const amountsChanged = { ...Object.fromEntries(changed), r: 1 };
    return { addToAny: keys.marks(project), amounts: amountsChanged, ...(set && { set }), unless };
  });
}

/** Beside the marks of a project, in each of their items: when a change that has an event was last written there. */
export const changedAt = 'changedAt';

/** A number among the marks of a project that takes no features: it is 1 in all of them then, or else 0 or missing. */
export const closed = 'closed';
/** The same for what features do in an environment: the project has removed it. */
export const closedIn = (environment: string) => `closed:${environment}`;

/**
 * What a change of a feature must not meet. A decision rests on a project that was read; where the project was archived or
 * deleted meanwhile, or an environment taken from it, the marks say so, which the change writes anyway.
 */
function closuresInTheWay(before: ShelfPlace | undefined, { project, own }: ShelfPlace): string[] {
  const isArchivedHere = before?.project === project && own.archivedAt !== null;
  const known = new Map(before && summariesIn(before.own));
  const grown = summariesIn(own).filter(([environment, { enabled, strategies, variants }]) => {
    const old = known.get(environment);
    const isSwitchedOn = enabled && !(old?.enabled && before?.project === project);
    return isSwitchedOn || strategies > (old?.strategies ?? 0) || variants > (old?.variants ?? 0);
  });
  return [...(isArchivedHere ? [] : [closed]), ...grown.map(([environment]) => closedIn(environment))];
}

function summariesIn({ environments }: Pick<CountedItem, 'environments'>): [string, EnvironmentSummary][] {
  return JSON.parse(environments);
}

/**
 * What a project counts of a feature, beside its mark, which every change writes: whether it is live or archived, and of a
 * live one its type, whether it is stale, and the environments in which it is on.
 */
export function countsIn({ type, stale, archivedAt, environments }: CountedItem): Record<string, number> {
  if (archivedAt !== null) return { archived: 1 };
  const on = summariesIn({ environments })
    .filter(([, { enabled }]) => enabled)
    .map(([environment]) => [`on:${environment}`, 1]);
  return { live: 1, [`type:${type}`]: 1, ...(stale && { stale: 1 }), ...Object.fromEntries(on) };
}

/** Whatever else the own item says, in this release or a later one, lists may need. */
function shelved(own: Attributes): Attributes {
  const {
    name: _name,
    project: _project,
    layout: _layout,
    version: _version,
    firstEventId: _firstEventId,
    lastEventId: _lastEventId,
    eventCount: _eventCount,
    childCount: _childCount,
    ...rest
  } = own;
  return writtenOnShelf(rest);
}
