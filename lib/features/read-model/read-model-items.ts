import { randomInt } from 'node:crypto';
import type { Event } from '../../events/event-schema.ts';
import { buildEntryWrites, type Entry, type LockableParts } from '../../projects/ledger.ts';
import { type Attributes, itemBytesMax } from '../../store/item.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import type { Feature } from '../feature.ts';
import { type CompactItem, omitReadModelDefaults } from '../items/compact-item.ts';
import { toDeliveredState } from '../items/delivered-feature.ts';
import type { EnvironmentSummary } from '../items/environment-summary.ts';
import type { Revision } from '../items/feature-items.ts';
import type { FeatureItem } from '../items/stored-items.ts';
import * as featureKeys from '../keys.ts';

/**
 * The item of a feature in the read model of its project, the partition that serves lists, searches and SDKs. It is a copy of
 * the feature's own item without the counters of changes, written in the transaction that changes the feature.
 */
export type ReadModelItem = Omit<
  CompactItem<FeatureItem>,
  | 'name'
  | 'project'
  | 'version'
  | 'firstEventId'
  | 'lastEventId'
  | 'eventCount'
  | 'link'
  | 'childCount'
  | 'schedules'
  | 'importedEventId'
> & { readonly mark: number };

/**
 * The state of a feature in an environment as SDKs get it. It is not part of the item in the read model: every switch
 * rewrites that item, and DynamoDB charges for whole items, so large strategies would make switching expensive.
 */
export interface DeliveryItem {
  /** JSON: DeliveredState. */
  readonly state: string;
  /** The version of the feature that wrote this item, as in the feature's summary of the environment. */
  readonly version: number;
}

/** The most bytes of an item for SDKs; for a larger state, readers use the feature's own partition. */
const deliveryBytesMax = 300 * 1024;
/** The most bytes of all items for SDKs in a transaction, for a change of many environments. */
const deliveriesBytesMax = 5 * itemBytesMax;

/**
 * Returns a new checksum for a feature: a random number that identifies a state of the feature. Each project stores the
 * sum of its features' checksums, spread over several items, of which a transaction changes any one. DynamoDB shows the
 * items of a transaction one by one; a reader has seen whole transactions if the checksums it read add up to the sum.
 * @param before the previous checksum, from which the new one differs.
 */
export function createChecksum(before = 0): number {
  const checksum = randomInt(1, 2 ** 32 - 1);
  return checksum < before ? checksum : checksum + 1;
}

/** The parts of a feature that its entry in the ledger consists of. */
type LedgerFeature = Pick<ReadModelInput, 'project' | 'own'> & { readonly revision: Pick<Revision, 'mark'> };

/** The parts of a feature that its writes to the read model and the ledger depend on. */
export interface ReadModelInput {
  readonly project: string;
  readonly revision: Pick<Revision, 'mark' | 'summaries'>;
  readonly own: CountedItem;
}

/** The fields of a feature's own item that its project counts. */
type CountedItem = Pick<FeatureItem, 'type' | 'stale' | 'archivedAt' | 'environments'>;

/**
 * Builds the writes that put a feature in the read model of its project and into the ledger, and remove it from those of its
 * previous project; for a deleted feature, only the removal.
 * @param events the events of the change; without any, lists of projects do not show it as the latest change.
 */
export function buildReadModelWrites(
  name: string,
  before: ReadModelInput | undefined,
  after: (ReadModelInput & { readonly own: Attributes }) | undefined,
  events: readonly Event[],
): Write[] {
  const parts = after === undefined ? { wholeProject: false, environments: [] } : listNeededParts(before, after);
  return [
    ...(before === undefined || before.project === after?.project
      ? []
      : [{ remove: featureKeys.listedFeature(before.project, name) }]),
    ...(after === undefined
      ? buildDeliveryRemovals(name, before)
      : [
          {
            put: featureKeys.listedFeature(after.project, name),
            item: buildReadModelItem(after.own),
            subject: `list entry of feature "${name}"`,
          },
        ]),
    ...buildEntryWrites(before && entryOf(before), after && entryOf(after), parts, events[0]?.createdAt),
  ];
}

/** The state of a feature in an environment, and the version of the feature that wrote it. */
export interface VersionedState {
  readonly environment: string;
  readonly state: Pick<FeatureEnvironment, 'strategies' | 'variants' | 'plan'>;
  readonly version: number;
}

/** Builds the writes of the states for SDKs; a state that is too large has none. */
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

function buildDeliveryRemovals(name: string, before: ReadModelInput | undefined): Write[] {
  return [...(before?.revision.summaries ?? [])].flatMap(([environment, { version }]) =>
    before === undefined || version === 0 ? [] : [{ remove: featureKeys.delivery(before.project, environment, name) }],
  );
}

/** Returns the entry of a feature in the ledger of its project. @internal */
export function entryOf({ project, revision: { mark }, own }: LedgerFeature): Entry {
  const on = summariesOf(own).flatMap(([environment, { enabled }]) => (enabled ? environment : []));
  return { project, checksum: mark, isArchived: own.archivedAt !== null, type: own.type, isStale: own.stale, on };
}

/**
 * Lists the parts of a project that must not be locked for a change. Archiving a feature is possible in a locked project,
 * and switching off or removing strategies and variants in a locked environment.
 */
function listNeededParts(before: ReadModelInput | undefined, { project, own }: ReadModelInput): LockableParts {
  const isArchivedHere = before?.project === project && own.archivedAt !== null;
  const oldSummaries = new Map(before && summariesOf(before.own));
  const grown = summariesOf(own).filter(([environment, { enabled, strategies, variants, plan, safeguards = 0 }]) => {
    const old = oldSummaries.get(environment);
    const isGuardedMore = safeguards > (old?.safeguards ?? 0);
    const isPlanned = (plan?.milestones ?? 0) > (old?.plan?.milestones ?? 0);
    const isSwitchedOn = enabled && !(old?.enabled && before?.project === project);
    const isLarger = strategies > (old?.strategies ?? 0) || variants > (old?.variants ?? 0);
    return isSwitchedOn || isLarger || isPlanned || isGuardedMore;
  });
  return { wholeProject: !isArchivedHere, environments: grown.map(([environment]) => environment) };
}

function summariesOf({ environments }: Pick<CountedItem, 'environments'>): [string, EnvironmentSummary][] {
  return JSON.parse(environments);
}

/** Builds the item in the read model from a feature's own item. Unknown attributes are copied: a later release may list them. */
function buildReadModelItem(own: Attributes): Attributes {
  const {
    name: _name,
    project: _project,
    version: _version,
    firstEventId: _firstEventId,
    lastEventId: _lastEventId,
    eventCount: _eventCount,
    link: _link,
    childCount: _childCount,
    schedules: _schedules,
    importedEventId: _importedEventId,
    ...rest
  } = own;
  return omitReadModelDefaults(rest);
}
