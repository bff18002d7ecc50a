import type { Author } from '../../events/actor.ts';
import { type EventsItem, eventsOf } from '../../events/event-items.ts';
import type { Event, EventType } from '../../events/event-schema.ts';
import { isEventVisible, redactEvent } from '../../events/event-visibility.ts';
import * as flagKeys from '../../identity/access-flags/keys.ts';
import type { Request } from '../../request.ts';
import { queryPages, readItems } from '../../store/read.ts';
import type { ChangeRequest } from '../change-request.ts';
import { changesMax } from '../change-request-schema.ts';
import type { ShownChange } from './views.ts';

/**
 * Reads the first changes that were made under an override and that the caller may see, as changes of its request. A
 * transaction is listed whole: the events of one that several overrides have let through name one of them.
 */
export async function listChangesUnder(request: Request, { id, createdBy }: ChangeRequest): Promise<ShownChange[]> {
  const keys: { pk: string; sk: string }[] = [];
  for await (const page of queryPages<{ readonly events: string }>(request, flagKeys.overrideChanges(id))) {
    const places = page.flatMap(({ events }): [string, string][] => JSON.parse(events));
    keys.push(...places.map(([pk, sk]) => ({ pk, sk })));
    if (keys.length > changesMax) break;
  }
  const items = await readItems<EventsItem>(request, keys.slice(0, changesMax));
  const changes = items
    .flatMap((item) => (item === undefined ? [] : eventsOf(item)))
    .filter((event) => !event.type.startsWith('change-request-') && isEventVisible(request, event));
  if (Math.max(keys.length, changes.length) > changesMax)
    request.warnings.add(
      `Only the first changes under the override ${id} are listed; the events of its group have all.`,
    );
  return changes.slice(0, changesMax).map((event) => changeOf(redactEvent(request, event), createdBy));
}

type Content = Pick<ShownChange, 'payload' | 'base'> & { readonly action?: string };

/** The changes that would have been asked for, by the type of the event; others go by that. */
const asked: Partial<Record<EventType, (event: Event) => Content>> = {
  'feature-environment-enabled': () => ({ action: 'updateEnabled', payload: { enabled: true } }),
  'feature-environment-disabled': () => ({ action: 'updateEnabled', payload: { enabled: false } }),
  'feature-strategy-add': ({ data }) => ({ action: 'addStrategy', payload: data }),
  'feature-strategy-update': ({ data, preData }) => ({ action: 'updateStrategy', payload: data, base: preData }),
  'feature-strategy-remove': ({ preData }) => ({ action: 'deleteStrategy', payload: preData, base: preData }),
  'feature-environment-variants-updated': ({ data, preData }) => ({
    ...{ action: 'patchVariant', payload: data, base: preData?.variants },
  }),
  'feature-archived': () => ({ action: 'archiveFeature' }),
  'feature-dependency-added': ({ data }) => ({ action: 'addDependency', payload: data }),
  'feature-dependency-removed': ({ data }) => ({ action: 'deleteDependency', payload: data }),
  'feature-dependencies-removed': () => ({ action: 'deleteDependency' }),
  'segment-updated': ({ data, preData }) => ({ action: 'updateSegment', payload: data, base: preData }),
  'segment-deleted': ({ preData }) => ({ action: 'deleteSegment', payload: preData, base: preData }),
};

function changeOf(event: Event, holder: Author): ShownChange {
  const { id, type, featureName: feature, createdAt, createdBy: name, createdByUserId, data } = event;
  const { action = type, payload, base } = asked[type]?.(event) ?? { payload: data };
  return {
    ...{
      id,
      feature,
      action,
      createdAt,
      createdBy: createdByUserId === holder.id ? holder : { id: createdByUserId ?? 0, name },
    },
    ...(payload != null && { payload }),
    ...(base != null && { base }),
  };
}
