/**
 * Parts of the ETag of an answer to an SDK. The two hashes alone say which answer it is; the revision, which counts also
 * the changes that the SDK does not see, only tells a process whether another one may know more.
 */
export interface FeaturesEtag {
  /** Digest of the query: 8 hexadecimal digits. */
  readonly queryHash: string;
  readonly revision: number;
  /** Digest of the features and segments: 16 characters, so that no two contents are taken for the same. */
  readonly contentHash: string;
}

/** Returns the ETag as headers have it: strong, since the same content has the same bytes but for its revision. */
export function textOfEtag({ queryHash, revision, contentHash }: FeaturesEtag): string {
  return `"${queryHash}:${revision}:${contentHash}"`;
}

/** Release 0.2 has shorter hashes of the content, so that they equal none of ours; its revisions count. */
const etagPattern = /^(?:W\/)?"(?<queryHash>[\da-f]{8}):(?<revision>0|[1-9]\d{0,14}):(?<contentHash>[\w-]{8,16})"$/;

/** Returns the ETags of ours in an `If-None-Match` header, in their order. */
export function etagsIn(ifNoneMatch = ''): FeaturesEtag[] {
  return ifNoneMatch.split(',').flatMap((each) => {
    const { queryHash = '', revision, contentHash = '' } = etagPattern.exec(each.trim())?.groups ?? {};
    return revision === undefined ? [] : [{ queryHash, revision: Number(revision), contentHash }];
  });
}
