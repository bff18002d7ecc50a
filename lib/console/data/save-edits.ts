import { Refusal } from './client.ts';
import { type MergeConflict, mergeEdits } from './merge.ts';

/** A state of a thing, with the version that a change of it names. */
export interface Versioned<T> {
  readonly value: T;
  readonly etag: string | undefined;
}

interface Edits<T> {
  /** The state when the edits began. */
  readonly opened: Versioned<T>;
  readonly mine: T;
  /** Sends edits as a change of a state. */
  readonly send: (edits: T, base: Versioned<T>) => Promise<unknown>;
  /** Reads the current state; undefined if the thing is gone. */
  readonly loadCurrent: () => Promise<Versioned<T> | undefined>;
}

/** Edits that somebody else has contradicted meanwhile: nothing was saved. */
export interface ConflictingEdits<T> {
  readonly merged: T;
  readonly conflicts: readonly MergeConflict[];
  readonly current: Versioned<T>;
}

/** The most times that edits meet a newer version before they give up. */
const attemptsMax = 5;

/**
 * Saves edits. If somebody has changed the thing meanwhile, but other parts of it, both changes are kept and nobody is asked.
 * @returns the conflicts if the same parts were changed; undefined once everything is saved.
 * @throws Refusal if the service refuses the edits, or the thing is gone.
 */
export async function saveEdits<T extends object>({
  opened,
  mine,
  send,
  loadCurrent,
}: Edits<T>): Promise<ConflictingEdits<T> | undefined> {
  let [edits, base] = [mine, opened];
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send(edits, base);
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 412 || attempt === attemptsMax) throw error;
    }
    const current = await loadCurrent();
    if (current === undefined) throw new Refusal(404, { message: 'Somebody has deleted this meanwhile.' });
    const { merged, conflicts } = mergeEdits(opened.value, mine, current.value);
    if (conflicts.length > 0) return { merged, conflicts, current };
    [edits, base] = [merged, current];
  }
}
