import type { Reply } from '../idempotency/kept-items.ts';
import { KeptAlready, KeptRequest } from '../idempotency/kept-request.ts';
import type { RequestIdentity } from '../idempotency/request-identity.ts';
import type { Request } from '../request.ts';

/** What a request is carried out with. */
interface Running {
  readonly request: Request;
  /** Which request it is, if its caller has given it a key. */
  readonly requestIdentity?: RequestIdentity | undefined;
}

/**
 * Carries a request out, once for each `idempotency-key` of a caller: the same request sent again gets the first
 * reply, byte for byte, for a day. Only what was carried out counts: a refused request has changed nothing, so its
 * repeat is judged again.
 * @param isSecret whether the reply holds what is shown once: it is not kept, and a repeat is refused.
 * @throws ApiError 400 for a key that stands for another request, or for one whose reply is not kept.
 */
export async function carryOutOnce<R extends Running, Result>(
  input: R,
  run: (input: R) => Promise<Result>,
  replyTo: (result: Result) => Reply,
  isSecret: boolean,
): Promise<Reply> {
  const { requestIdentity, request } = input;
  if (requestIdentity === undefined) return replyTo(await run(input));

  const receipt = new KeptRequest(request, requestIdentity, (result) => replyTo(result as Result), isSecret);
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
    if (error instanceof KeptAlready) return carryOutOnce(input, run, replyTo, isSecret);
    throw error;
  }
}

function replayed({ headers, ...reply }: Reply): Reply {
  return { ...reply, headers: { ...headers, 'idempotent-replayed': 'true' } };
}
