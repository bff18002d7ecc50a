import type { EventSearchResult } from '../../events/event-search-schema.ts';

/** Events of one change: the most important one, and the others with the newest first. */
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
 * Groups neighbours of one change. Events of one change by different people stay apart, such as approvals of a request. The most important event of a group is its first, so that people see what was switched rather than what came
 * with it.
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
