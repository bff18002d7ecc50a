import { contentEtag } from './etag.ts';
import type { ReadyJson } from './handler-types.ts';

/** Warning header of a response that may be stale (RFC 7234, section 5.5.1). */
const staleWarning = '110 - "The store cannot be reached; this is its last known content"';

interface ContentReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly json: ReadyJson;
}

/** Returns the parts of a reply whose JSON already exists and has its own ETag. */
export function readyReply(json: ReadyJson & { readonly etag: string; readonly stale: boolean }): ContentReply {
  return {
    headers: { 'cache-control': 'no-cache', etag: json.etag, ...(json.stale && { warning: staleWarning }) },
    json,
  };
}

/** Returns the parts of a reply whose ETag is computed from its content. */
export function contentReply({ stale, ...body }: { readonly stale: boolean }): ContentReply {
  const text = JSON.stringify(body);
  return readyReply({ text, etag: contentEtag(text), stale });
}

/** Returns the parts of a reply: CSV if the `Accept` header asks for it, otherwise JSON. */
export function csvOrJson<T>(accept: string | undefined, csv: () => string, body: T) {
  return accept?.includes('text/csv')
    ? { headers: { 'content-type': 'text/csv; charset=utf-8', vary: 'accept' }, json: { text: csv() } }
    : { headers: { vary: 'accept' }, body };
}
