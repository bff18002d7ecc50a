/**
 * The parts of the ETag of a response to an SDK. The two hashes identify the content. The revision tells a process whether another
 * process has served a later state; it also counts changes that the SDK does not see.
 */
export interface FeaturesEtag {
  /** Hash of the query: 8 hexadecimal digits. */
  readonly queryHash: string;
  readonly revision: number;
  /** Hash of the features and segments: 16 characters, so that different contents do not collide. */
  readonly contentHash: string;
}

/** Formats an ETag for a header. It is a strong ETag, although responses with the same content may differ in their revision. */
export function formatEtag({ queryHash, revision, contentHash }: FeaturesEtag): string {
  return `"${queryHash}:${revision}:${contentHash}"`;
}

/** Release 0.2 wrote shorter hashes of the content, which never equal those of today. Their revisions still count. */
const etagPattern = /^(?:W\/)?"(?<queryHash>[\da-f]{8}):(?<revision>0|[1-9]\d{0,14}):(?<contentHash>[\w-]{8,16})"$/;

/** Parses the ETags of this service in an `If-None-Match` header. */
export function parseEtags(ifNoneMatch = ''): FeaturesEtag[] {
  return ifNoneMatch.split(',').flatMap((etag) => {
    const { queryHash = '', revision, contentHash = '' } = etagPattern.exec(etag.trim())?.groups ?? {};
    return revision === undefined ? [] : [{ queryHash, revision: Number(revision), contentHash }];
  });
}
