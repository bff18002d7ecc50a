import type { DeltaState } from './delta-cache.ts';

/** The name of a state: the ETag of a poll for changes, and the id of an event in a stream. */
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

/** Writes the name of a state. Its hash identifies the state. Its revision tells a process that another one knows a later state. */
export function formatTag({ revision, hash }: Pick<DeltaState, 'revision' | 'hash'>): string {
  return `${revision}:${hash}`;
}

/** Returns the revision that a delta cache must have before it answers an SDK with a tag; 0 if the SDK has the same state already. */
export function revisionNeeded(tag: StateTag | undefined, state: DeltaState | undefined): number {
  return tag === undefined || tag.hash === state?.hash ? 0 : tag.revision;
}
