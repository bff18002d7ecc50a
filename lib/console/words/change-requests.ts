import type { ShownEvent } from '../../screens/shown-event-schema.ts';

/** The verb of a change that needs approval: it asks nobody yet. */
export const addToDraft = 'Add to your draft';

/** The sentence for Admins who may choose a change without approval. */
export const orWithoutApproval = 'As an Admin, you may also do it now without approval.';

/** The sentence about a request after its approvals: they alone apply nothing. */
export const afterApproval = 'After approval, you or an approver applies it.';

/** Describes the way of a change in an environment where changes need approval. */
export function describeDraft(environment: string, approvals = 1): string {
  const needed = approvals === 1 ? 'one approval' : `${approvals} approvals`;
  return `Changes in ${environment} need ${needed}. Yours goes into your draft, which you then send for review, or into your request that waits there already. ${afterApproval}`;
}

interface TitledRequest {
  readonly id: number;
  readonly title?: string | undefined;
}

/** Tells whether somebody gave a request a title. The API calls one without a title "Change request #7". */
export function isTitled({ id, title }: TitledRequest): boolean {
  return title !== undefined && title !== `Change request #${id}`;
}

/** Names a request by its title, or else by its number. */
export function nameRequest({ id, title }: TitledRequest): string {
  return title !== undefined && isTitled({ id, title }) ? title : `Change request ${id}`;
}

type Decision = Omit<NonNullable<ShownEvent['changeRequest']>, 'project'>;

/** Names the change request of an event, and the people or the reason behind it. */
export function describeDecision({ id, author, approvedBy, override }: Decision): string {
  if (override !== undefined) return `By an override of approval: “${override}”`;
  return approvedBy.length === 0
    ? `Change request ${id} by ${author}`
    : `Change request ${id} by ${author}, approved by ${approvedBy.join(', ')}`;
}
