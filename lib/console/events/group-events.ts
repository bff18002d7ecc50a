import type { EventSearchResult } from '../../events/event-search-schema.ts';

/** Events of one change, the newest first. */
export interface EventGroup<E> {
  readonly first: E;
  readonly others: readonly E[];
}

/** Groups neighbours of one change. Events of one change by different people stay apart, such as approvals of a request. */
export function groupEvents<E extends Pick<EventSearchResult, 'groupId' | 'groupType' | 'createdByUserId'>>(
  events: readonly E[],
): EventGroup<E>[] {
  const groups: { readonly first: E; readonly others: E[] }[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    const belongs =
      last !== undefined &&
      last.first.groupId === event.groupId &&
      last.first.groupType === event.groupType &&
      last.first.createdByUserId === event.createdByUserId;
    if (belongs) last.others.push(event);
    else groups.push({ first: event, others: [] });
  }
  return groups;
}
