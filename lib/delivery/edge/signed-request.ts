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
 * Claims a key outside of any transaction: of several callers at the same moment, one succeeds.
 * @param seconds the time for which nobody else can claim it.
 * @returns true if the key was free.
 * @internal
 */
export async function claim(work: Work, key: Key, seconds: number): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000);
  const holder = randomUUID();
  // AWS's SDK repeats a request whose answer was lost. The repetition finds its own claim, which `holder` identifies.
  const isFree = {
    ConditionExpression: 'attribute_not_exists(expiresAtSeconds) OR expiresAtSeconds <= :now OR holder = :holder',
    ExpressionAttributeValues: { ':now': now, ':holder': holder },
  };
  const set = { expiresAtSeconds: now + seconds, holder };
  return (await changeItem(work, key, { set }, isFree)) !== undefined;
}

/** The most that the clock of an Edge may differ, including the age of the request. */
const clockSkewMs = 5 * 60_000;
/** A request is valid from that time before its timestamp until that time after it; one second more covers rounding. */
const nonceSeconds = (2 * clockSkewMs) / 1000 + 1;

/** The parts of a request that a signature covers. */
interface SentRequest {
  header(name: string): string | undefined;
  bytes(): Buffer;
}

/**
 * Finds the Edge that has signed a request. The header `authorization: HMAC <name>:<signature>` signs five lines: `POST`, the path, the
 * time (`x-timestamp`), a unique text (`x-nonce`) and the hash of the body (`content-sha256`).
 * @throws ApiError 401 with the same message for every fault; the log has the reason.
 */
export async function findSigningEdge(request: Request, sent: SentRequest): Promise<EdgeClient> {
  const { id, signature, timestamp, nonce, bodyHash } = parseSignature(sent);
  const edge = await edgeClients.find(request, id);
  const text = ['POST', '/edge/issue-token', timestamp, nonce, bodyHash].join('\n');
  // It takes as long for an unknown name.
  const isSigned = isSameText(signature, sign(text, edge?.value.secret ?? ''));
  if (edge === undefined) throw refuseSignedRequest('No Edge of that name is known.');
  if (!isSigned) throw refuseSignedRequest('The signature is wrong.');
  // The difference to an invalid time is NaN, for which this comparison is false.
  if (!(Math.abs(Date.now() - Date.parse(timestamp)) <= clockSkewMs)) {
    throw refuseSignedRequest('The time of the request is more than five minutes from now.');
  }
  if (!listAcceptedHashes(sent.bytes()).includes(bodyHash))
    throw refuseSignedRequest('The body differs from the one that was signed.');
  if (!(await claim(request, edgeKeys.nonce(sha256(`${id} ${nonce}`)), nonceSeconds))) {
    throw refuseSignedRequest('The request has been sent before.');
  }
  return edge.value;
}

/** Signs a text with the secret of an Edge. */
function sign(text: string, secret: string): string {
  return createHmac('sha256', Buffer.from(secret, 'base64url')).update(text).digest('base64url');
}

function parseSignature({ header }: SentRequest) {
  const [, id, signature] = /^HMAC ([^:]+):(.+)$/.exec(header('authorization') ?? '') ?? [];
  const [timestamp, nonce, bodyHash] = [header('x-timestamp'), header('x-nonce'), header('content-sha256')];
  if (!id || !signature || !timestamp || !nonce || !bodyHash) throw refuseSignedRequest('It is not signed.');
  return { id, signature, timestamp, nonce, bodyHash };
}

/** Lists the accepted hashes of a body: of its bytes and, as on Unleash, of its JSON without white space. */
function listAcceptedHashes(bytes: Buffer): string[] {
  return [sha256(bytes), ...compactJson(bytes).map((json) => sha256(json))];
}

function compactJson(bytes: Buffer): string[] {
  try {
    return [JSON.stringify(JSON.parse(bytes.toString()))];
  } catch {
    // A body that is not JSON has only the hash of its bytes.
    return [];
  }
}

function isSameText(text: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(text), Buffer.from(other)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}

/** Returns the error for a refused request. The caller gets no reason; the log has it. */
export function refuseSignedRequest(reason: string): ApiError {
  const message = 'The request must be signed by a registered Edge. If it is, the log of the service has the reason.';
  return new ApiError('AuthenticationRequired', message, undefined, { reason });
}
