import { invalid } from '../errors.ts';
import type { Author } from '../events/actor.ts';
import { type ChangeRequest, commentsBytesMax, personOf, type Review } from './change-request.ts';

/** The most comments of a request, and the bytes that they take. */
const most = { count: 300, bytes: commentsBytesMax };
/** The same of those that come alone: the rest is left to those that say why somebody decides. */
const alone = { count: 250, bytes: commentsBytesMax - 16 * 1024 };

/**
 * Returns a request with one more comment; with the same ones for none.
 * @throws ApiError 400 for one too many.
 */
export function withComment(
  before: ChangeRequest,
  text: string | null | undefined,
  by: Author,
  at: string,
  { isAlone = false } = {},
): ChangeRequest {
  if (text == null || text === '') return before;
  const after = appendComment(before, text, by, at);
  const limits = isAlone ? alone : most;
  const { count, bytes } = limits;
  if (after.comments.length > count)
    throw invalid(`A change request has at most ${count} comments${besides(isAlone)}.`);
  if (!fits(after, limits))
    throw invalid(`The comments of a change request take at most ${bytes} bytes${besides(isAlone)}.`);
  return after;
}

const besides = (isAlone: boolean) => (isAlone ? ', besides those of decisions' : '');

/**
 * Returns a request with a comment on what follows from an edit or a decision. Where there is no room for it any more, it is
 * left out, rather than the edit refused.
 */
export function withNote(before: ChangeRequest, text: string, by: Author, at: string): ChangeRequest {
  const after = appendComment(before, text, by, at);
  return fits(after, most) ? after : before;
}

function appendComment(before: ChangeRequest, text: string, by: Author, at: string): ChangeRequest {
  const comment = { id: before.lastId + 1, text, createdBy: personOf(by), createdAt: at };
  return { ...before, comments: [...before.comments, comment], lastId: comment.id };
}

function fits({ comments }: ChangeRequest, { count, bytes }: typeof most): boolean {
  return comments.length <= count && Buffer.byteLength(JSON.stringify(comments)) <= bytes;
}

const list = new Intl.ListFormat('en');

/** Returns the clause that approvals are void; undefined for none. */
export function describeVoid(approvals: readonly Review[]): string | undefined {
  const givers = list.format(approvals.map(({ createdBy }) => createdBy.name));
  if (approvals.length > 1) return `the approvals of ${givers} no longer count`;
  return approvals.length === 1 ? `the approval of ${givers} no longer counts` : undefined;
}
