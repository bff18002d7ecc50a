import type { Answer } from '../idempotency/kept-items.ts';

/** What a handler replies, whatever its declaration. */
export interface AnyReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A reply as it goes out; without a body it has no text. */
export function answerTo({ status, headers = {}, body }: AnyReply): Answer {
  return { status, headers, text: body === undefined ? '' : JSON.stringify(body) };
}
