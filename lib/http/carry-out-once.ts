import type { HttpReply } from '../idempotency/receipt-items.ts';
import type { RequestIdentity } from '../idempotency/request-identity.ts';
import { IdempotencyKeyTaken, RequestReceipt } from '../idempotency/request-receipt.ts';
import type { Request } from '../request.ts';
import { toWarningHeader } from './middleware/respond.ts';

/** Context in which a request is carried out. */
interface Running {
  readonly request: Request;
  /** Identity of the request, if its caller has sent a key. */
  readonly requestIdentity?: RequestIdentity | undefined;
}

/**
 * Carries a request out, once for each `idempotency-key` of a caller: a repeat gets the first reply, byte for byte, for
 * a day. Only requests that were carried out count: a refused one has changed nothing, so its repeat is judged again.
 * @param isSecret true if the reply holds a secret shown only once: the reply is not kept, and a repeat is refused.
 * @throws ApiError 400 for a key of another request, or of one whose reply is not kept.
 */
export async function carryOutOnce<R extends Running, Result>(
  input: R,
  run: (input: R) => Promise<Result>,
  replyWithout: (result: Result) => HttpReply,
  isSecret: boolean,
): Promise<HttpReply> {
  const { requestIdentity, request } = input;
  if (requestIdentity === undefined) return replyWithout(await run(input));
  // A repeat gets the warnings that are known when the change is stored.
  const replyTo = (result: Result): HttpReply => {
    const reply = replyWithout(result);
    return { ...reply, headers: { ...reply.headers, ...toWarningHeader(request.warnings) } };
  };

  const receipt = new RequestReceipt(request, requestIdentity, (result) => replyTo(result as Result), isSecret);
  const earlier = await receipt.load();
  if (earlier !== undefined) return replayed(earlier);
  try {
    const result = await run({ ...input, request: { ...request, receipt } });
    await receipt.complete(result);
    return replyTo(result);
  } catch (error) {
    // The same request may have been carried out meanwhile, and what it changed be in the way of this one.
    const kept = await receipt.load();
    if (kept !== undefined) return replayed(kept);
    // The same request has claimed the key meanwhile; this one goes on where that one is.
    if (error instanceof IdempotencyKeyTaken) return carryOutOnce(input, run, replyWithout, isSecret);
    throw error;
  }
}

function replayed({ headers, ...reply }: HttpReply): HttpReply {
  return { ...reply, headers: { ...headers, 'idempotent-replayed': 'true' } };
}
