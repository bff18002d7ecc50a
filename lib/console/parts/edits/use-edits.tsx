import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type ConflictingEdits, saveEdits, type Versioned } from '../../data/save-edits.ts';
import { useSending } from '../../data/use-sending.ts';
import { ConflictDialog } from './conflict-dialog.tsx';

interface EditsOptions<T> {
  readonly original: Versioned<T>;
  /** Sends the edits as a change of a version; without one, it creates the thing. */
  readonly send: (edits: T, etag: string | undefined) => Promise<unknown>;
  /** Reads the current state; undefined if the thing is new or gone. */
  readonly load: () => Promise<Versioned<T> | undefined>;
  readonly onSaved: (saved: T) => void;
}

/** The edits of a form. */
interface Edits<T> {
  readonly draft: T;
  readonly set: (change: Partial<T>) => void;
  readonly isBusy: boolean;
  readonly problems: readonly string[];
  readonly save: (event: Event) => void;
  /** The question whose change counts, where two people have changed the same. */
  readonly conflict: JSX.Element | undefined;
}

/** Keeps the edits of a thing that somebody else may change meanwhile: what only one of them has changed is kept of both. */
export function useEdits<T extends object>({ original, send, load, onSaved }: EditsOptions<T>): Edits<T> {
  const [opened, setOpened] = useState(original);
  const [draft, setDraft] = useState(original.value);
  const [conflicting, setConflicting] = useState<ConflictingEdits<T>>();
  const { isBusy, problems, send: attempt } = useSending();

  async function save(mine: T, base: Versioned<T>): Promise<void> {
    setConflicting(undefined);
    await attempt(async () => {
      const found = await saveEdits({ opened: base, mine, send, loadCurrent: load });
      if (found !== undefined) return setConflicting(found);
      const current = await load();
      if (current !== undefined) {
        setOpened(current);
        setDraft(current.value);
      }
      onSaved(mine);
    });
  }

  return {
    draft,
    set: (change) => setDraft({ ...draft, ...change }),
    isBusy,
    problems,
    save: (event) => {
      event.preventDefault();
      if (!isBusy) void save(draft, opened);
    },
    conflict: conflicting && (
      <ConflictDialog
        edits={conflicting}
        change={undefined}
        onChoose={(merged) => {
          setDraft(merged);
          void save(merged, conflicting.current);
        }}
        onClose={() => setConflicting(undefined)}
      />
    ),
  };
}
