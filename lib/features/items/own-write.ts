import { environmentCountWrites } from '../../environments/environment-counts.ts';
import { underOverride } from '../../events/event.ts';
import { featureEventWrites } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import type { CallerAccess } from '../../request.ts';
import type { Attributes } from '../../store/item.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { Feature } from '../feature.ts';
import * as featureKeys from '../keys.ts';
import { newChecksum, type ShelfPlace, shelfWrites } from '../shelf/shelf-items.ts';
import { assertMaySwitch, type SwitchedIn } from './direct-change.ts';
import {
  addEnabledAt,
  type FeatureHead,
  type Past,
  type Revision,
  revisionAttributes,
  revisionOnTopOf,
  summaryOf,
  type Tombstone,
  type TombstoneItem,
} from './feature-items.ts';
import { writtenItem } from './written-item.ts';

/** Returns the revision of a feature after a change with the given events. */
export function nextRevision(revision: Revision, events: readonly Event[]): Revision {
  return {
    ...revision,
    version: revision.version + 1,
    lastEventId: events.at(-1)?.id ?? revision.lastEventId,
    eventCount: revision.eventCount + events.length,
    mark: newChecksum(revision.mark),
  };
}

/** Returns the write of a feature's own item, which all other writes of a change depend on. */
function ownWrite(name: string, before: Pick<Revision, 'version'> | undefined, item: Attributes): Write {
  const when = before === undefined ? 'absent' : { version: before.version };
  return { put: featureKeys.feature(name), item: writtenItem(item), when, what: `feature "${name}"` };
}

/** Returns the write that marks a feature with the change requests under a schedule that touch it; no list shows them. */
export function schedulesWrite({ name, own, revision }: FeatureHead, schedules: string | undefined): Write {
  return ownWrite(name, revision, { ...own, schedules, version: revision.version + 1 });
}

/** Feature by its own item, as it was read or as a change makes it. */
interface OwnFeature extends ShelfPlace {
  readonly revision: Revision;
}

/** Feature as a change leaves it, with its own item. */
export type ChangedFeature = OwnFeature & { readonly own: Attributes };

interface OwnChange {
  readonly name: string;
  /** Missing for a new feature. */
  readonly before: OwnFeature | undefined;
  /** Remains of an earlier feature of the name, for a new one. */
  readonly remains?: Tombstone | undefined;
  /** History of a new feature, which the store holds already. */
  readonly past?: Past | undefined;
  /** Missing for a feature that is deleted. */
  readonly after: ChangedFeature | undefined;
  /** Tags before the change; the events carry the changes of them. */
  readonly tags: Feature['tags'];
  readonly events: readonly Event[];
}

/**
 * Returns the writes that every change of a feature takes: its own item and, in step with it, the shelf and the ledger
 * of its project, the counts of environments and its events. A change that keeps the mark of the feature changes no
 * list.
 */
export function ownWrites({ name, before, remains, past, after, tags, events }: OwnChange) {
  const base = before?.revision ?? revisionOnTopOf(remains, events[0]?.id, past);
  return {
    // Only what was there is deleted.
    own: ownWrite(
      name,
      before?.revision ?? remains,
      after?.own ?? remainsOf(before as OwnFeature, nextRevision(base, events)),
    ),
    shelf: before?.revision.mark === after?.revision.mark ? [] : shelfWrites(name, before, after, events),
    enabledCounts: enabledCountWrites(before?.revision.summaries, after?.revision.summaries),
    events: featureEventWrites(name, events, base, tags),
  };
}

function remainsOf({ project }: OwnFeature, { version, lastEventId }: Revision): Attributes {
  return { ...({ deleted: true, project, version, lastEventId } satisfies TombstoneItem) };
}

type Summaries = Revision['summaries'];

function enabledCountWrites(before: Summaries = new Map(), after: Summaries = new Map()): Write[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name)?.enabled ?? false, after.get(name)?.enabled ?? false];
    return environmentCountWrites('enabledToggleCount', name, Number(is) - Number(was));
  });
}

/** Change of a feature's own item alone. */
interface HeadChange {
  readonly attributes?: Attributes;
  readonly switched?: SwitchedIn;
}

/**
 * Returns the writes of a feature of which only the own item changes.
 * @param request request whose caller makes the change, directly or with approval.
 * @param tags tags of the feature, where there are events.
 * @param events events with their ids.
 * @throws ApiError 403 for a change that needs approval.
 */
export function headWrites(
  request: CallerAccess,
  head: FeatureHead,
  { attributes, switched }: HeadChange,
  tags: Feature['tags'],
  events: readonly Event[],
): Write[] {
  const { name, project } = head;
  const { summaries: before } = head.revision;
  if (switched) assertMaySwitch(request, head, switched);
  const summaries = switched ? switchedIn(before, switched, events[0]?.createdAt) : before;
  const revision = { ...nextRevision(head.revision, events), summaries };
  const own = { ...head.own, ...attributes, ...revisionAttributes(revision) };
  const under = underOverride(request, events);
  const all = ownWrites({ name, before: head, after: { project, revision, own }, tags, events: under });
  return [all.own, ...all.shelf, ...all.enabledCounts, ...all.events];
}

function switchedIn(summaries: Summaries, { environment, enabled }: SwitchedIn, at: string | undefined): Summaries {
  const before = summaries.get(environment);
  const known = before ?? summaryOf({ enabled, strategies: [], variants: [] }, 0);
  return new Map([...summaries, [environment, addEnabledAt({ ...known, enabled }, before, at)]]);
}
