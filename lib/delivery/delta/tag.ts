import type { ViewState } from './view.ts';

/** The name of a state that an SDK has or gets: the ETag of a poll for changes, and the id of an event of a stream. */
export interface StateTag {
  readonly revision: number;
  readonly hash: string;
  /** The tag as the SDK wrote it: Unleash Edge leaves out the quotes of an ETag. */
  readonly text: string;
}

const tagPattern = /^(?:W\/)?"?(?<revision>0|[1-9]\d{0,14}):(?<hash>[\w-]{16})"?$/;

/** Parses the tag that an SDK sends; undefined for anything else. */
export function parseTag(text = ''): StateTag | undefined {
  const trimmed = text.trim();
  const { revision, hash = '' } = tagPattern.exec(trimmed)?.groups ?? {};
  return revision === undefined ? undefined : { revision: Number(revision), hash, text: trimmed };
}

/** Returns the name of a state. Only its hash decides; the revision says whether another process has a later state. */
export function formatTag({ revision, hash }: Pick<ViewState, 'revision' | 'hash'>): string {
  return `${revision}:${hash}`;
}

/** Returns the revision that a view must have reached before it answers an SDK with a tag; 0 if it has the same content. */
export function revisionSeen(tag: StateTag | undefined, state: ViewState | undefined): number {
  return tag === undefined || tag.hash === state?.hash ? 0 : tag.revision;
}
