import { invalid } from '../errors.ts';
import type { Author } from '../events/actor.ts';
import { type ChangeRequest, commentsBytesMax, isVisibleToOthers, personOf, type Review } from './change-request.ts';

/** The most comments of a request, and their most bytes. */
const limits = { count: 300, bytes: commentsBytesMax };
/** The limits for comments without a decision, so that room remains for comments on decisions. */
const standaloneLimits = { count: 250, bytes: commentsBytesMax - 16 * 1024 };

/**
 * Returns a request with a further comment; unchanged for an empty text.
 * @param isStandalone true for a comment without a decision.
 * @throws ApiError 400 for too many comments.
 */
export function withComment(
  before: ChangeRequest,
  text: string | null | undefined,
  author: Author,
  at: string,
  { isStandalone = false } = {},
): ChangeRequest {
  if (text == null || text === '') return before;
  const after = appendComment(before, text, author, at);
  const { count, bytes } = isStandalone ? standaloneLimits : limits;
  const reservation = isStandalone ? ', apart from comments on decisions' : '';
  if (after.comments.length > count) throw invalid(`A change request has at most ${count} comments${reservation}.`);
  if (!fits(after, { count, bytes }))
    throw invalid(`The comments of a change request take at most ${bytes} bytes${reservation}.`);
  return after;
}

/**
 * Returns a request with another title and reason; undefined ones stay. If others can have read the old ones, comments name them, since
 * they can have decided on the request under these.
 * @throws ApiError 400 for too many comments.
 */
export function withTexts(
  before: ChangeRequest,
  {
    title = before.title,
    reason = before.reason,
  }: { readonly title?: string | undefined; readonly reason?: string | undefined },
  author: Author,
  at: string,
): ChangeRequest {
  const after = { ...before, ...(title !== undefined && { title }), ...(reason !== undefined && { reason }) };
  if (!isVisibleToOthers(before)) return after;
  const from = before.title === undefined ? '' : ` from "${before.title}"`;
  const titleChange = title === before.title ? '' : `Changed the title${from} to "${title}".`;
  const isOtherReason = before.reason !== undefined && reason !== before.reason;
  const reasonChange = isOtherReason ? `Changed the reason, which was "${before.reason}".` : '';
  return [titleChange, reasonChange].reduce(
    (request, text) => withComment(request, text, author, at, { isStandalone: true }),
    after,
  );
}

/**
 * Returns a request with a comment of the service on the consequence of an edit or a decision. If there is no room for the
 * comment, it is omitted, since the edit must not fail for it.
 */
export function withNote(before: ChangeRequest, text: string, author: Author, at: string): ChangeRequest {
  const after = appendComment(before, text, author, at);
  return fits(after, limits) ? after : before;
}

function appendComment(before: ChangeRequest, text: string, author: Author, at: string): ChangeRequest {
  const comment = { id: before.lastId + 1, text, createdBy: personOf(author), createdAt: at };
  return { ...before, comments: [...before.comments, comment], lastId: comment.id };
}

function fits({ comments }: ChangeRequest, { count, bytes }: typeof limits): boolean {
  return comments.length <= count && Buffer.byteLength(JSON.stringify(comments)) <= bytes;
}

const listFormat = new Intl.ListFormat('en');

/** Returns the clause that approvals are no longer valid, e.g. "the approval of Ann no longer counts"; undefined for none. */
export function describeInvalidApprovals(approvals: readonly Review[]): string | undefined {
  const names = listFormat.format(approvals.map(({ createdBy }) => createdBy.name));
  if (approvals.length > 1) return `the approvals of ${names} no longer count`;
  return approvals.length === 1 ? `the approval of ${names} no longer counts` : undefined;
}
