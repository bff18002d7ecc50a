import type { Versioned } from '../store/transactions/versioned.ts';
import type { EventStream } from '../values/event-stream.ts';
import { type Declaration, statusOf } from './declaration.ts';
import { digestOf, etagOf } from './etag.ts';
import type { StreamReply } from './event-stream.ts';
import type { ReadyJson } from './handler-types.ts';
import { isJson } from './middleware/body.ts';

/** Parts of a reply that a handler may set. */
interface Parts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly body?: unknown;
  readonly json?: ReadyJson;
  readonly stream?: EventStream;
}

/**
 * Builds the reply for the result of a handler. The declaration determines the status and the ETag. The value is the body, unless
 * `partsOf` returns another one.
 */
export function buildReply(declaration: Declaration, result: unknown, partsOf: (value: unknown) => Parts): StreamReply {
  const { value, version, shown } =
    declaration.etag === true
      ? (result as Partial<Versioned<unknown>>)
      : ({ value: result } as Partial<Versioned<unknown>>);
  const { headers = {}, status = statusOf(declaration), json, stream, ...shaped } = partsOf(value);
  const body = 'body' in shaped ? shaped.body : value;
  const { contentType } = declaration;
  const content =
    json === undefined
      ? { text: stream ? '' : textOf(declaration, body) }
      : { text: json.text, ...(json.holds && { ready: json }) };
  return {
    status,
    headers: {
      ...(contentType && { 'content-type': contentType }),
      ...(version !== undefined && { etag: etagOf(version, shown === true ? digestOf(content.text) : shown) }),
      ...headers,
    },
    ...content,
    ...(stream && { stream }),
  };
}

function textOf({ responses, contentType }: Declaration, body: unknown): string {
  if (responses[statusOf({ responses })] === null) return '';
  return contentType === undefined || isJson(contentType) ? JSON.stringify(body) : String(body);
}
