import { signal } from '@preact/signals';
import type { RefusalBody } from './word-refusal.ts';

/** An answer of the API that is no success, or no answer at all. */
export class Refusal extends Error {
  readonly status: number;
  /** The id of the request, which the log of the service has; undefined without an answer. */
  readonly requestId: string | undefined;
  readonly details: readonly { readonly message: string; readonly path?: string }[];
  /** Seconds until the next attempt may succeed. */
  readonly retryAfter: number | undefined;
  /** The body of the answer, for what only some operations tell. */
  readonly body: unknown;

  constructor(status: number, body: RefusalBody, retryAfter?: number) {
    super(body.message ?? 'The service sent no reason.');
    this.name = body.name ?? 'Refusal';
    this.status = status;
    this.requestId = body.id;
    this.details = body.details ?? [];
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

/** Ways to sign in, as the 401 of the service lists them. */
export interface SignInWays {
  readonly type: 'password' | 'custom';
  readonly defaultHidden?: boolean;
  readonly options?: readonly { readonly type: string; readonly message: string; readonly path: string }[];
  readonly path?: string;
}

export interface ApiAnswer<T> {
  readonly status: number;
  readonly body: T;
  readonly etag: string | undefined;
  /** The warning of the service about what it has done nevertheless. */
  readonly warning?: string | undefined;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The ways to sign in after a 401; undefined for a caller who is signed in, as far as the page knows. */
export const signedOut = signal<SignInWays | undefined>(undefined);

/** False while requests get no answer. */
export const isConnected = signal(true);

/** Time of the last answer, in milliseconds since 1970. */
export const lastAnswerAt = signal(Date.now());

/** Operations whose 401 is about a password or a link, not about the session. */
const otherProofs = /^\/(auth|invite)\/|\/change-password$/;

/**
 * Sends a request to the service of this page.
 * @throws Refusal for every status from 400 on, and with the status 0 if there is no answer.
 */
export async function sendRequest<T>(
  method: Method,
  path: string,
  { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<ApiAnswer<T>> {
  const reply = await fetch(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    credentials: 'same-origin',
  }).catch(() => undefined);
  isConnected.value = reply !== undefined;
  if (reply === undefined) throw new Refusal(0, { message: 'The service does not answer.' });
  lastAnswerAt.value = Date.now();
  const text = await reply.text();
  const parsed = parse(text);
  if (reply.status === 401 && !otherProofs.test(path)) noteSignedOut((parsed ?? { type: 'password' }) as SignInWays);
  if (reply.status >= 400) {
    const retryAfter = Number(reply.headers.get('retry-after')) || undefined;
    const refusal = (parsed ?? {}) as RefusalBody;
    throw new Refusal(reply.status, reply.status === 403 ? await wordRefusal(refusal) : refusal, retryAfter);
  }
  return {
    status: reply.status,
    body: parsed as T,
    etag: reply.headers.get('etag') ?? undefined,
    warning: readWarning(reply.headers.get('warning')),
  };
}

/** Names the permissions in a refusal by their words, which are loaded when they are needed. */
async function wordRefusal(refusal: RefusalBody): Promise<RefusalBody> {
  try {
    return (await import('./word-refusal.ts')).wordRefusal(refusal);
  } catch {
    // The words are gone, such as after a new release; the ids tell enough.
    return refusal;
  }
}

/** Notes the ways to sign in. Only one answer of a page lists the identity providers, so the others do not replace it. */
function noteSignedOut(ways: SignInWays): void {
  if (signedOut.value?.options === undefined) signedOut.value = ways;
}

/** Reads the texts of a `warning` header, such as `299 - "Only Admins may approve."`. */
function readWarning(header: string | null): string | undefined {
  const texts = header?.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g) ?? [];
  return [...texts].map(([, text = '']) => text.replace(/\\(.)/g, '$1')).join(' ') || undefined;
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
