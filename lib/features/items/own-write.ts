import { featureEventWrites } from '../../events/event-items.ts';
import type { Event } from '../../events/event-schema.ts';
import type { Attributes } from '../../store/item.ts';
import * as keys from '../../store/keys.ts';
import type { Write } from '../../store/transactions/write.ts';
import type { Feature } from '../feature.ts';
import type { Life } from '../lifecycle/lifecycle.ts';
import { type FeatureHead, lifeAttributes, type Revision, revisionAttributes } from './feature-items.ts';
import { newMark, shelfWrites } from './shelf-items.ts';
import { written } from './written-item.ts';

/** How far a feature has come after a change with these events. */
export function counted(revision: Revision, events: readonly Event[]): Revision {
  return {
    ...revision,
    version: revision.version + 1,
    lastEventId: events.at(-1)?.id ?? revision.lastEventId,
    eventCount: revision.eventCount + events.length,
    mark: newMark(),
  };
}

/** The write of a feature's own item, which all others of a change hang on. */
export function ownWrite(name: string, before: Pick<Revision, 'version'> | undefined, item: Attributes): Write {
  const when = before === undefined ? 'absent' : { version: before.version };
  return { put: keys.feature(name), item: written(item), when, what: `feature "${name}"` };
}

/**
 * The writes of a feature of which nothing changes but whether it is known to be older than features of its type usually get.
 * @param events under their ids.
 */
export function ageWrites(
  { name, project, own, revision }: FeatureHead,
  tags: Feature['tags'],
  potentiallyStale: boolean,
  events: readonly Event[],
): Write[] {
  const next = counted(revision, events);
  const item = { ...own, potentiallyStale, ...revisionAttributes(next) };
  return [
    ownWrite(name, revision, item),
    ...shelfWrites(name, { project, mark: revision.mark, own }, { project, mark: next.mark, own: item }, events),
    ...featureEventWrites(name, events, revision, tags),
  ];
}

/** The writes of a feature of which nothing changes but the stages of its life, and of which there is no event. */
export function lifeWrites({ name, project, own, revision }: FeatureHead, life: Life): Write[] {
  const next = counted(revision, []);
  const item = { ...own, ...lifeAttributes(own.createdAt, life), ...revisionAttributes(next) };
  return [
    ownWrite(name, revision, item),
    ...shelfWrites(name, { project, mark: revision.mark, own }, { project, mark: next.mark, own: item }, []),
  ];
}
