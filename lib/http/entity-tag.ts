import { invalid } from '../errors.ts';

/** A strong entity tag for the version of what an answer tells of (RFC 9110, section 8.8.3). */
export function entityTag(version: number): string {
  return `"${version}"`;
}

const tag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const tagList = new RegExp(`^${tag}(?:\\s*,\\s*${tag})*$`);

/**
 * The versions that an `If-Match` header names; undefined for `*` and for none, since any version will do then. A weak
 * tag, and one that is not ours, names no version (RFC 9110, section 13.1.1: the comparison is strong).
 * @throws ApiError 400 for what is no such header.
 */
export function versionsIn(ifMatch: string | undefined): ReadonlySet<number> | undefined {
  const list = ifMatch?.trim();
  if (list === undefined || list === '*') return undefined;
  if (!tagList.test(list)) throw invalid('If-Match takes entity tags in double quotes, as in "7", or *.');
  return new Set(
    [...list.matchAll(/(W\/)?"([1-9]\d{0,15})"/g)].flatMap(([, weak, version]) => (weak ? [] : [Number(version)])),
  );
}
