import type { ReadyJson } from './declaration.ts';
import { contentEtag } from './etag.ts';

/** Warning header of a response that may be stale (RFC 7234, section 5.5.1). */
const staleWarning = '110 - "The store is out of reach; this is what it said last"';

interface ContentReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly json: ReadyJson;
}

/** Returns the parts of a reply whose JSON is ready and has an ETag of its own. */
export function readyReply(json: ReadyJson & { readonly etag: string; readonly stale: boolean }): ContentReply {
  return {
    headers: { 'cache-control': 'no-cache', etag: json.etag, ...(json.stale && { warning: staleWarning }) },
    json,
  };
}

/** Returns the parts of a reply that depends on its context: its ETag is derived from its content. */
export function contentReply({ stale, ...body }: { readonly stale: boolean }): ContentReply {
  const text = JSON.stringify(body);
  return readyReply({ text, etag: contentEtag(text), stale });
}

/** The parts of a reply that comes as CSV if the `Accept` header asks for it, and else as JSON. */
export function csvOrJson<T>(accept: string | undefined, csv: () => string, body: T) {
  return accept?.includes('text/csv')
    ? { headers: { 'content-type': 'text/csv; charset=utf-8', vary: 'accept' }, json: { text: csv() } }
    : { headers: { vary: 'accept' }, body };
}
