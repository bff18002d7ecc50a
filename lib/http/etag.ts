import { invalid } from '../errors.ts';
import { sha256 } from '../values/sha256.ts';

/** Returns a strong ETag for the version of a resource, and a digest of further content (RFC 9110, section 8.8.3). */
export function etagOf(version: number, shown?: string): string {
  return shown === undefined ? `"${version}"` : `"${version}-${shown}"`;
}

/** Returns a digest of a reply that contains more than the resource, for its ETag. */
export function digestOf(text: string): string {
  return sha256(text).slice(0, 16);
}

/** Returns a weak ETag for a reply without a version, such as a list. */
export function contentEtag(text: string): string {
  return `W/"${sha256(text, 'base64url').slice(0, 22)}"`;
}

const etag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const etagList = new RegExp(`^${etag}(?:\\s*,\\s*${etag})*$`);

/**
 * Returns the versions in an `If-Match` header; undefined for `*` and for no header, since any version matches then. Weak ETags and
 * unknown ones name no version (RFC 9110, section 13.1.1: the comparison is strong). The digest of further content is ignored.
 * @throws ApiError 400 for a malformed header.
 */
export function versionsIn(ifMatch: string | undefined): ReadonlySet<number> | undefined {
  const list = ifMatch?.trim();
  if (list === undefined || list === '*') return undefined;
  if (!etagList.test(list)) throw invalid('If-Match must have ETags in double quotes, as in "7", or *.');
  return new Set(
    [...list.matchAll(/(W\/)?"([1-9]\d{0,15})(?:-[\da-z-]+)?"/g)].flatMap(([, weak, version]) =>
      weak ? [] : [Number(version)],
    ),
  );
}

/**
 * Returns true if an `If-None-Match` header contains the ETag of a reply, so that the caller already has it (RFC 9110, section
 * 13.1.2: the comparison is weak). A malformed header contains nothing.
 */
export function isKnown(ifNoneMatch: string | undefined, shown: string | undefined): boolean {
  if (ifNoneMatch === undefined || shown === undefined) return false;
  const etags = ifNoneMatch.split(',').map((part) => part.trim().replace(/^W\//, ''));
  return etags.includes('*') || etags.includes(shown.replace(/^W\//, ''));
}
