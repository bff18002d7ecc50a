import type { HttpReply } from '../idempotency/record-items.ts';
import type { RequestIdentity } from '../idempotency/request-identity.ts';
import { IdempotencyKeyTaken, StoredIdempotencyRecord } from '../idempotency/stored-record.ts';
import type { Request } from '../request.ts';
import { toWarningHeader } from './middleware/respond.ts';

/** The input of an operation that is needed to run it once. */
interface OnceInput {
  readonly request: Request;
  /** The identity of the request; undefined without an idempotency key. */
  readonly requestIdentity?: RequestIdentity | undefined;
}

/**
 * Runs an operation once per idempotency key of a caller. For a day, the same request gets the first reply, byte for byte. Only
 * successful requests count: a refused request has changed nothing, so it is checked again.
 * @param isSecret true if the reply contains a secret that is shown only once. Such a reply is not stored, and a repeat is refused.
 * @throws ApiError 400 if the key belongs to another request, or to one whose reply was not stored.
 */
export async function carryOutOnce<R extends OnceInput, Result>(
  input: R,
  run: (input: R) => Promise<Result>,
  replyWithout: (result: Result) => HttpReply,
  isSecret: boolean,
): Promise<HttpReply> {
  const { requestIdentity, request } = input;
  if (requestIdentity === undefined) return replyWithout(await run(input));
  // The stored reply has the warnings that are known when the change is stored.
  const replyTo = (result: Result): HttpReply => {
    const reply = replyWithout(result);
    return { ...reply, headers: { ...reply.headers, ...toWarningHeader(request.warnings) } };
  };

  const idempotencyRecord = new StoredIdempotencyRecord(
    request,
    requestIdentity,
    (result) => replyTo(result as Result),
    isSecret,
  );
  const storedReply = await idempotencyRecord.load();
  if (storedReply !== undefined) return markAsReplayed(storedReply);
  try {
    const result = await run({ ...input, request: { ...request, idempotencyRecord } });
    await idempotencyRecord.complete(result);
    return replyTo(result);
  } catch (error) {
    // The same request may have succeeded in the meantime, and its change may have caused this error.
    const laterReply = await idempotencyRecord.load();
    if (laterReply !== undefined) return markAsReplayed(laterReply);
    // The same request claimed the key in the meantime; this request continues where that one is.
    if (error instanceof IdempotencyKeyTaken) return carryOutOnce(input, run, replyWithout, isSecret);
    throw error;
  }
}

function markAsReplayed({ headers, ...reply }: HttpReply): HttpReply {
  return { ...reply, headers: { ...headers, 'idempotent-replayed': 'true' } };
}
