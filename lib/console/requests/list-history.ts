import type { ConsoleRequestPage } from '../../screens/request-schema.ts';

/** Something that happened to a change request. */
export interface HistoryEntry {
  readonly at: string;
  /** The name of the person; undefined where the request does not say who did it. */
  readonly person: string | undefined;
  /** The rest of the sentence after the name of the person. */
  readonly text: string;
  readonly comment?: string;
}

type Person = {
  readonly id: number;
  readonly username: string;
  readonly agent?: { readonly name: string };
};

/**
 * Returns the display name of a person of a change request, or their user name if they have none, with the agent that acted for them.
 */
export function nameOf({ people }: Pick<ConsoleRequestPage, 'people'>, { id, username, agent }: Person): string {
  const name = people.find((person) => person.id === id)?.name ?? username;
  return agent === undefined ? name : `${agent.name} (agent of ${name})`;
}

/** Lists the steps, approvals and comments of a change request, the oldest first. */
export function listHistory(
  page: Pick<ConsoleRequestPage, 'people' | 'request' | 'scheduledBy' | 'appliedBy'>,
): HistoryEntry[] {
  const { createdBy, createdAt, stateTimestamps, approvals, rejections, comments, override, state } = page.request;
  const author = nameOf(page, createdBy);
  const step = (name: string, person: string | undefined, text: string): HistoryEntry[] => {
    const at = stateTimestamps[name];
    return at === undefined ? [] : [{ at, person, text }];
  };
  const steps =
    override === undefined
      ? [
          { at: createdAt, person: author, text: 'began it' },
          ...step('In review', author, 'sent it for review'),
          ...step('Scheduled', page.scheduledBy?.name, 'scheduled it'),
          ...step('Applied', page.appliedBy?.name, page.appliedBy === undefined ? 'applied' : 'applied it'),
          ...step('Cancelled', undefined, 'cancelled'),
        ]
      : [
          { at: createdAt, person: author, text: 'overrode approval' },
          ...(override.endedBy === undefined
            ? []
            : [{ at: override.until, person: nameOf(page, override.endedBy), text: 'ended the override' }]),
          ...(override.reviewedBy === undefined || override.reviewedAt === undefined
            ? []
            : [{ at: override.reviewedAt, person: nameOf(page, override.reviewedBy), text: 'has seen the changes' }]),
        ];
  const reviews = [
    ...approvals.map((review) => ({ ...review, text: 'approved' })),
    ...rejections.map((review) => ({ ...review, text: 'turned it down' })),
  ].map((review) => ({ at: review.createdAt, person: nameOf(page, review.createdBy), text: review.text }));
  const hasUnknownRejecter = state === 'Rejected' && rejections.length === 0;
  return [
    ...steps,
    ...reviews,
    ...(hasUnknownRejecter ? step('Rejected', undefined, 'turned down') : []),
    ...comments.map(({ text: comment, createdBy: by, createdAt: at }) => ({
      ...{ at, person: nameOf(page, by), text: '' },
      comment,
    })),
  ].toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}
