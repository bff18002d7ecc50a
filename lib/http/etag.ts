import { invalid } from '../errors.ts';
import { sha256 } from '../values/sha256.ts';

/** Returns a strong ETag for the version of a resource and the other content of the reply (RFC 9110, section 8.8.3). */
export function etagOf(version: number, shown?: string): string {
  return shown === undefined ? `"${version}"` : `"${version}-${shown}"`;
}

/** Returns a digest of a reply, for the ETag of a version that is shown with further content. */
export function digestOf(text: string): string {
  return sha256(text).slice(0, 16);
}

/** Returns a weak ETag of a reply without a version, such as a list of many resources. */
export function contentEtag(text: string): string {
  return `W/"${sha256(text, 'base64url').slice(0, 22)}"`;
}

const etag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const etagList = new RegExp(`^${etag}(?:\\s*,\\s*${etag})*$`);

/**
 * Returns the versions that an `If-Match` header names; undefined for `*` and for no header, since any version will do
 * then. A weak ETag, and one that is not ours, names no version (RFC 9110, section 13.1.1: the comparison is strong).
 * Other content that a resource was shown with does not matter to a change of it.
 * @throws ApiError 400 for a malformed header.
 */
export function versionsIn(ifMatch: string | undefined): ReadonlySet<number> | undefined {
  const list = ifMatch?.trim();
  if (list === undefined || list === '*') return undefined;
  if (!etagList.test(list)) throw invalid('If-Match takes ETags in double quotes, as in "7", or *.');
  return new Set(
    [...list.matchAll(/(W\/)?"([1-9]\d{0,15})(?:-[\da-z-]+)?"/g)].flatMap(([, weak, version]) =>
      weak ? [] : [Number(version)],
    ),
  );
}

/**
 * Tells whether an `If-None-Match` header names the ETag of a reply, so that the caller has it already (RFC 9110,
 * section 13.1.2: the comparison is weak). A malformed header names nothing.
 */
export function isKnown(ifNoneMatch: string | undefined, shown: string | undefined): boolean {
  if (ifNoneMatch === undefined || shown === undefined) return false;
  const list = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return list.includes('*') || list.includes(shown.replace(/^W\//, ''));
}
