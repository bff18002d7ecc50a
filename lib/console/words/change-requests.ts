/** The verb of a change that needs approval: it asks nobody yet. */
export const addToDraft = 'Add to your draft';

/** The sentence about a request after its approvals: they alone apply nothing. */
export const afterApproval = 'After approval, you or an approver applies it.';

/** Describes the way of a change in an environment where changes need approval. */
export function describeDraft(environment: string, approvals = 1): string {
  const needed = approvals === 1 ? 'one approval' : `${approvals} approvals`;
  return `Changes in ${environment} need ${needed}. Yours goes into your draft, which you then send for review. ${afterApproval}`;
}

/** Names a request by its title, or else by its number. The API calls one without a title "Change request #7". */
export function nameRequest({ id, title }: { readonly id: number; readonly title?: string | undefined }): string {
  return title === undefined || title === `Change request #${id}` ? `Change request ${id}` : title;
}
