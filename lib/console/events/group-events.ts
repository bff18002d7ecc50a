import type { EventSearchResult } from '../../events/event-search-schema.ts';

/** Events of one change: the most important one, and the others in the order of the list. */
export interface EventGroup<E> {
  readonly first: E;
  readonly others: readonly E[];
}

/** Kinds of events of one change, the most important first; all others come last. */
const byImportance = [
  /^feature-environment-(?:enabled|disabled)$/,
  /^feature-strategy-/,
  /^(?:feature|segment)-/,
  /^(?!change-)/,
  /^change-request-(?!override-ended)/,
];

function rank({ type }: Pick<EventSearchResult, 'type'>): number {
  const index = byImportance.findIndex((pattern) => pattern.test(type));
  return index === -1 ? byImportance.length : index;
}

/**
 * Groups adjacent events of one change and one person. Events of different people stay apart, such as the approvals of a request.
 * The most important event of a group comes first, so that people see the switch before its side effects.
 */
export function groupEvents<E extends Pick<EventSearchResult, 'type' | 'groupId' | 'groupType' | 'createdByUserId'>>(
  events: readonly E[],
): EventGroup<E>[] {
  const groups: [E, ...E[]][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    const belongs =
      last !== undefined &&
      last[0].groupId === event.groupId &&
      last[0].groupType === event.groupType &&
      last[0].createdByUserId === event.createdByUserId;
    if (belongs) last.push(event);
    else groups.push([event]);
  }
  return groups.map((group) => {
    const first = group.reduce((best, event) => (rank(event) < rank(best) ? event : best));
    return { first, others: group.filter((event) => event !== first) };
  });
}
