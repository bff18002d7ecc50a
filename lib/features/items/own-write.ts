import { countWrites } from '../../environments/environment-counts.ts';
import { featureEventWrites } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import type { Attributes } from '../../store/item.ts';
import * as keys from '../../store/keys.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { Feature } from '../feature.ts';
import {
  type FeatureHead,
  type Remains,
  type RemainsItem,
  type Revision,
  revisionAttributes,
  revisionOnTopOf,
} from './feature-items.ts';
import { newMark, type ShelfPlace, shelfWrites } from './shelf-items.ts';
import { written } from './written-item.ts';

/** How far a feature has come after a change with these events. */
export function counted(revision: Revision, events: readonly Event[]): Revision {
  return {
    ...revision,
    version: revision.version + 1,
    lastEventId: events.at(-1)?.id ?? revision.lastEventId,
    eventCount: revision.eventCount + events.length,
    mark: newMark(revision.mark),
  };
}

/** The write of a feature's own item, which all others of a change hang on. */
function ownWrite(name: string, before: Pick<Revision, 'version'> | undefined, item: Attributes): Write {
  const when = before === undefined ? 'absent' : { version: before.version };
  return { put: keys.feature(name), item: written(item), when, what: `feature "${name}"` };
}

/** A feature by its own item, as it was read or as a change makes it. */
export interface OwnState extends ShelfPlace {
  readonly revision: Revision;
}

interface OwnChange {
  readonly name: string;
  /** Missing for a new feature. */
  readonly before: OwnState | undefined;
  /** Remains of an earlier feature of the name, for a new one. */
  readonly remains?: Remains | undefined;
  /** Missing for a feature that is deleted. */
  readonly after: (OwnState & { readonly own: Attributes }) | undefined;
  /** Tags before the change, which the events say themselves what they change of. */
  readonly tags: Feature['tags'];
  readonly events: readonly Event[];
}

/**
 * The writes that every change of a feature takes: its own item and, in step with it, the shelf and the ledger of its
 * project, the counts of environments and its events. A change that keeps the mark of the feature changes no list.
 */
export function ownWrites({ name, before, remains, after, tags, events }: OwnChange) {
  const base = before?.revision ?? revisionOnTopOf(remains, events[0]?.id);
  return {
    own: ownWrite(name, before?.revision ?? remains, after?.own ?? remainsOf(counted(base, events))),
    shelf: before?.revision.mark === after?.revision.mark ? [] : shelfWrites(name, before, after, events),
    enabledCounts: enabledCountWrites(before?.revision.summaries, after?.revision.summaries),
    events: featureEventWrites(name, events, base, tags),
  };
}

function remainsOf({ version, lastEventId }: Revision): Attributes {
  return { ...({ deleted: true, version, lastEventId } satisfies RemainsItem) };
}

type Summaries = Revision['summaries'];

function enabledCountWrites(before: Summaries = new Map(), after: Summaries = new Map()): Write[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name)?.enabled ?? false, after.get(name)?.enabled ?? false];
    return countWrites('enabledToggleCount', name, Number(is) - Number(was));
  });
}

/** A change of what a feature's own item alone says. */
interface HeadChange {
  readonly attributes?: Attributes;
  /** Of environments, all of them. */
  readonly summaries?: Summaries;
}

/**
 * The writes of a feature of which nothing changes but what its own item says.
 * @param tags those of the feature, where there are events.
 * @param events under their ids.
 */
export function headWrites(
  head: FeatureHead,
  { attributes, summaries = head.revision.summaries }: HeadChange,
  tags: Feature['tags'],
  events: readonly Event[],
): Write[] {
  const { name, project } = head;
  const revision = { ...counted(head.revision, events), summaries };
  const own = { ...head.own, ...attributes, ...revisionAttributes(revision) };
  const all = ownWrites({ name, before: head, after: { project, revision, own }, tags, events });
  return [all.own, ...all.shelf, ...all.enabledCounts, ...all.events];
}
