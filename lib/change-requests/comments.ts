import { invalid } from '../errors.ts';
import type { Author } from '../events/actor.ts';
import { type ChangeRequest, commentsBytesMax } from './change-request.ts';

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
  { id, name }: Author,
  at: string,
  { isAlone = false } = {},
): ChangeRequest {
  if (text == null || text === '') return before;
  const comment = { id: before.lastId + 1, text, createdBy: { id, name }, createdAt: at };
  const comments = [...before.comments, comment];
  const { count, bytes } = isAlone ? alone : most;
  if (comments.length > count) throw invalid(`A change request has at most ${count} comments${besides(isAlone)}.`);
  if (Buffer.byteLength(JSON.stringify(comments)) > bytes)
    throw invalid(`The comments of a change request take at most ${bytes} bytes${besides(isAlone)}.`);
  return { ...before, comments, lastId: comment.id };
}

const besides = (isAlone: boolean) => (isAlone ? ', besides those of decisions' : '');
