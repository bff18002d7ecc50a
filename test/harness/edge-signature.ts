import { createHash, createHmac, randomUUID } from 'node:crypto';

/** An Edge that can sign. */
export interface SigningEdge {
  readonly id: string;
  readonly secret: string;
}

/** Parts that a signature covers. */
export interface SignedParts {
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly bodyHash?: string;
  readonly path?: string;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Returns a placeholder for a signature in the headers of a prepared request: each time it is sent, it is signed for
 * the body that it has then.
 */
export function toBeSignedBy({ id, secret }: SigningEdge): { readonly authorization: string } {
  return { authorization: `HMAC ${id}:${secret}` };
}

/** The headers with a signature where they say that there is to be one; all others as they are. */
export function signed(headers: Headers, body: string | Buffer = ''): Headers {
  const [, id, secret] = /^HMAC ([^:]+):([\w-]{43})$/.exec(headers.authorization ?? '') ?? [];
  // A signed request has a time.
  if (id === undefined || secret === undefined || 'x-timestamp' in headers) return headers;
  return { ...headers, ...signatureFor({ id, secret }, body) };
}

/** The headers by which an Edge of Unleash Enterprise signs a request. */
export function signatureFor(
  { id, secret }: SigningEdge,
  body: string | Buffer,
  {
    timestamp = new Date().toISOString(),
    nonce = randomUUID(),
    bodyHash = createHash('sha256').update(body).digest('hex'),
    path = '/edge/issue-token',
  }: SignedParts = {},
): Headers {
  const signature = createHmac('sha256', Buffer.from(secret, 'base64url'))
    .update(`POST\n${path}\n${timestamp}\n${nonce}\n${bodyHash}`)
    .digest('base64url');
  return {
    authorization: `HMAC ${id}:${signature}`,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'content-sha256': bodyHash,
  };
}
