import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import type { Request } from '../../request.ts';
import { changeItem } from '../../store/change-item.ts';
import type { Key } from '../../store/client/definition.ts';
import type { Work } from '../../store/work.ts';
import { sha256 } from '../../values/sha256.ts';
import { type EdgeClient, edgeClients } from './edge-clients.ts';
import * as edgeKeys from './keys.ts';

/**
 * Claims something that can be claimed once at a time, outside of any transaction: of several who try at the same
 * moment one succeeds.
 * @param seconds how long nobody can claim it again.
 * @returns whether it was free.
 */
export async function claim(work: Work, key: Key, seconds: number): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000);
  const holder = randomUUID();
  // A request whose answer was lost is repeated by the SDK, and finds what it has claimed itself.
  const isFree = {
    ConditionExpression: 'attribute_not_exists(expiresAtSeconds) OR expiresAtSeconds <= :now OR holder = :holder',
    ExpressionAttributeValues: { ':now': now, ':holder': holder },
  };
  const set = { expiresAtSeconds: now + seconds, holder };
  return (await changeItem(work, key, { set }, isFree)) !== undefined;
}

/** By how much the clock of an Edge may differ from ours, and how old its request may be. */
const clockSkewMs = 5 * 60_000;
/** A request may come from the end of that time ahead to the end of that time ago; a second more for what is rounded. */
const nonceSeconds = (2 * clockSkewMs) / 1000 + 1;

/** A request as it was sent, by which a signature is checked. */
interface SentRequest {
  header(name: string): string | undefined;
  bytes(): Buffer;
}

/**
 * The Edge that has signed a request. Its headers name it and hold the signature (`authorization: HMAC <name>:<signature>`)
 * of `POST`, the path, the time of its clock (`x-timestamp`), a text that no other request has (`x-nonce`), and the hash
 * of the body (`content-sha256`), a line each.
 * @throws ApiError 401 in the same words for whatever is wrong, which the log says.
 */
export async function signingEdge(request: Request, sent: SentRequest): Promise<EdgeClient> {
  const { id, signature, timestamp, nonce, bodyHash } = signedParts(sent);
  const found = await edgeClients.find(request, id);
  const text = ['POST', '/edge/issue-token', timestamp, nonce, bodyHash].join('\n');
  // For a name that nobody has, it takes as long.
  const isSigned = isSameText(signature, signatureOf(text, found?.value.secret ?? ''));
  if (found === undefined) throw refusedRequest('No Edge of that name is known.');
  if (!isSigned) throw refusedRequest('The signature is wrong.');
  // An invalid time is NaN, which is not less than anything.
  if (!(Math.abs(Date.now() - Date.parse(timestamp)) <= clockSkewMs)) {
    throw refusedRequest('The time of the request is more than five minutes from now.');
  }
  if (!hashesOf(sent.bytes()).includes(bodyHash))
    throw refusedRequest('The body differs from the one that was signed.');
  if (!(await claim(request, edgeKeys.nonce(sha256(`${id} ${nonce}`)), nonceSeconds))) {
    throw refusedRequest('The request has been sent before.');
  }
  return found.value;
}

/** The signature of a text, with the secret of an Edge. */
function signatureOf(text: string, secret: string): string {
  return createHmac('sha256', Buffer.from(secret, 'base64url')).update(text).digest('base64url');
}

function signedParts({ header }: SentRequest) {
  const [, id, signature] = /^HMAC ([^:]+):(.+)$/.exec(header('authorization') ?? '') ?? [];
  const [timestamp, nonce, bodyHash] = [header('x-timestamp'), header('x-nonce'), header('content-sha256')];
  if (!id || !signature || !timestamp || !nonce || !bodyHash) throw refusedRequest('It is not signed.');
  return { id, signature, timestamp, nonce, bodyHash };
}

/** The hashes that a body may go by: that of its bytes, and, as on Unleash, that of its JSON without any blanks. */
function hashesOf(bytes: Buffer): string[] {
  return [sha256(bytes), ...compactJson(bytes).map((each) => sha256(each))];
}

function compactJson(bytes: Buffer): string[] {
  try {
    return [JSON.stringify(JSON.parse(bytes.toString()))];
  } catch {
    // What is no JSON goes by its bytes alone.
    return [];
  }
}

function isSameText(text: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(text), Buffer.from(other)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}

/** A refused request. The caller learns no more than that; the log has the reason. */
export function refusedRequest(reason: string): ApiError {
  const message =
    'The request must be signed by an Edge that is known here; if it is, the log of the service says what is wrong.';
  return new ApiError('AuthenticationRequired', message, undefined, { reason });
}
