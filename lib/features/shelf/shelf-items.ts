import { randomInt } from 'node:crypto';
import type { Event } from '../../events/event-schema.ts';
import { buildEntryWrites, type Entry, type LockableParts } from '../../projects/ledger.ts';
import { type Attributes, itemBytesMax } from '../../store/item.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { Feature, FeatureEnvironment } from '../feature.ts';
import { type CompactItem, omitShelfDefaults } from '../items/compact-item.ts';
import { toDeliveredState } from '../items/delivered-feature.ts';
import type { EnvironmentSummary, FeatureItem, Revision } from '../items/feature-items.ts';
import * as featureKeys from '../keys.ts';

/**
 * Item of a feature on the shelf of its project, the partition that lists, searches and SDKs are served from: its own
 * item without the fields that count its changes. It is written in the transaction that changes the feature.
 */
export type ShelfItem = Omit<
  CompactItem<FeatureItem>,
  | 'name'
  | 'project'
  | 'version'
  | 'firstEventId'
  | 'lastEventId'
  | 'eventCount'
  | 'childCount'
  | 'schedules'
  | 'importedEventId'
> & { readonly mark: number };

/**
 * State of a feature in an environment as SDKs get it, stored apart from its item on the shelf: every switch rewrites
 * that item, and the store charges for the whole item, so that switching would cost as much as the strategies are
 * large.
 */
export interface DeliveryItem {
  /** JSON: DeliveredState. */
  readonly state: string;
  /** Version of the feature that wrote it; the feature's summary of the environment has the same. */
  readonly version: number;
}

/** Limit of bytes of an item for SDKs; a reader takes anything larger from the feature's own partition. */
const deliveryBytesMax = 300 * 1024;
/** Limit of bytes for SDKs in a transaction, where a change rewrites the items of many environments. */
const deliveriesBytesMax = 5 * itemBytesMax;

/**
 * Returns a random number that distinguishes one state of a feature from all others. Each project keeps the sum of the
 * marks of its features in several items, of which a transaction takes any. A reader has seen whole transactions
 * exactly if the marks that it has read add up to that sum: the store shows the items of a transaction one by one.
 * @param before mark of the state that it follows, from which it differs.
 */
export function newChecksum(before = 0): number {
  const mark = randomInt(1, 2 ** 32 - 1);
  return mark < before ? mark : mark + 1;
}

/** A feature as its project counts it. */
type Entrant = Pick<ShelfPlace, 'project' | 'own'> & { readonly revision: Pick<Revision, 'mark'> };

/** Place of a feature on a shelf, with its mark and the fields that the project counts. */
export interface ShelfPlace {
  readonly project: string;
  readonly revision: Pick<Revision, 'mark' | 'summaries'>;
  readonly own: CountedItem;
}

/** Fields of a feature's own item that its project counts. */
type CountedItem = Pick<FeatureItem, 'type' | 'stale' | 'archivedAt' | 'environments'>;

/**
 * Returns the writes that put a feature on the shelf of its project, and remove it from that of another; from both,
 * where it is deleted.
 * @param events events of the change; without any, project lists do not show it as the latest change.
 */
export function buildShelfWrites(
  name: string,
  before: ShelfPlace | undefined,
  after: (ShelfPlace & { readonly own: Attributes }) | undefined,
  events: readonly Event[],
): Write[] {
  const needed = after === undefined ? { isWhole: false, environments: [] } : neededBy(before, after);
  return [
    ...(before === undefined || before.project === after?.project
      ? []
      : [{ remove: featureKeys.listedFeature(before.project, name) }]),
    ...(after === undefined
      ? deliveryRemovals(name, before)
      : [
          {
            put: featureKeys.listedFeature(after.project, name),
            item: shelved(after.own),
            what: `list entry of feature "${name}"`,
          },
        ]),
    ...buildEntryWrites(before && entryOf(before), after && entryOf(after), needed, events[0]?.createdAt),
  ];
}

/** State of a feature in an environment, with the version of the feature that wrote it. */
export interface VersionedState {
  readonly environment: string;
  readonly state: Pick<FeatureEnvironment, 'strategies' | 'variants'>;
  readonly version: number;
}

/** Returns the writes that keep the states for SDKs up to date in some environments. */
export function buildDeliveryWrites(
  { name, project }: Pick<Feature, 'name' | 'project'>,
  states: readonly VersionedState[],
): Write[] {
  let total = 0;
  return states.map(({ environment, state, version }) => {
    const key = featureKeys.delivery(project, environment, name);
    const text = JSON.stringify(toDeliveredState(state));
    const bytes = Buffer.byteLength(text);
    if (bytes > deliveryBytesMax || total + bytes > deliveriesBytesMax) return { remove: key };
    total += bytes;
    return { put: key, item: { state: text, version } };
  });
}

function deliveryRemovals(name: string, place: ShelfPlace | undefined): Write[] {
  return [...(place?.revision.summaries ?? [])].flatMap(([environment, { version }]) =>
    place === undefined || version === 0 ? [] : [{ remove: featureKeys.delivery(place.project, environment, name) }],
  );
}

/** Returns the entry of a feature in the ledger of its project. @internal */
export function entryOf({ project, revision: { mark }, own }: Entrant): Entry {
  const on = summariesIn(own).flatMap(([environment, { enabled }]) => (enabled ? environment : []));
  return { project, checksum: mark, isArchived: own.archivedAt !== null, type: own.type, isStale: own.stale, on };
}

/**
 * Returns the parts of a project that must be open: not the project to archive a feature there, nor an environment to
 * do less in it.
 */
function neededBy(before: ShelfPlace | undefined, { project, own }: ShelfPlace): LockableParts {
  const isArchivedHere = before?.project === project && own.archivedAt !== null;
  const known = new Map(before && summariesIn(before.own));
  const grown = summariesIn(own).filter(([environment, { enabled, strategies, variants }]) => {
    const old = known.get(environment);
    const isSwitchedOn = enabled && !(old?.enabled && before?.project === project);
    return isSwitchedOn || strategies > (old?.strategies ?? 0) || variants > (old?.variants ?? 0);
  });
  return { isWhole: !isArchivedHere, environments: grown.map(([environment]) => environment) };
}

function summariesIn({ environments }: Pick<CountedItem, 'environments'>): [string, EnvironmentSummary][] {
  return JSON.parse(environments);
}

/**
 * Returns an item for the shelf: lists may need any other attribute of the own item, of this release or a later one.
 */
function shelved(own: Attributes): Attributes {
  const {
    name: _name,
    project: _project,
    version: _version,
    firstEventId: _firstEventId,
    lastEventId: _lastEventId,
    eventCount: _eventCount,
    childCount: _childCount,
    schedules: _schedules,
    importedEventId: _importedEventId,
    ...rest
  } = own;
  return omitShelfDefaults(rest);
}
