import type { ComponentType, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Refusal } from '../../data/client.ts';
import { type ConflictingEdits, saveEdits, type Versioned } from '../../data/save-edits.ts';
import { useDraft } from '../../data/use-draft.ts';
import { useSending } from '../../data/use-sending.ts';
import { Later } from '../later.tsx';
import type { ConflictDialogProps } from './conflict-dialog.tsx';
import { DraftNotice } from './draft-notice.tsx';

/** Loads the dialog about conflicts, which few people need. */
const loadDialog = async <T extends object>(): Promise<ComponentType<ConflictDialogProps<T>>> =>
  (await import('./conflict-dialog.tsx')).ConflictDialog;

/** Sends edits as a change of a state. Without a version of the state, it creates the thing. */
type Send<T, A> = (edits: T, base: Versioned<T>) => Promise<A>;

interface EditsOptions<T, A> {
  /** The name under which this tab keeps the edits until they are saved; undefined for those with a secret, and for small ones. */
  readonly key?: string;
  readonly original: Versioned<T>;
  readonly send: Send<T, A>;
  /** Reads the current state; undefined if the thing is new or gone. */
  readonly load: () => Promise<Versioned<T> | undefined>;
  /** @param answer the result of `send`. */
  readonly onSaved: (saved: T, answer: A) => unknown;
  /** The last change of the thing, where its author is known. */
  readonly lastChange?: { readonly author: string; readonly createdAt: string } | undefined;
}

/** The edits of a form. */
export interface Edits<T, A = unknown> {
  /** The state without the edits. */
  readonly opened: T;
  readonly draft: T;
  readonly set: (change: Partial<T>) => void;
  readonly isEdited: boolean;
  readonly isBusy: boolean;
  /** The reasons why the last attempt to save failed. */
  readonly problems: readonly string[];
  /** The failure itself, with the fields that it is about. */
  readonly refusal: Refusal | undefined;
  readonly save: (event?: Event) => void;
  /** Saves by another operation than `send`. */
  readonly saveBy: (send: Send<T, A>) => Promise<void>;
  /** Discards the edits when the form closes. */
  readonly forget: () => void;
  /** The notice that earlier edits were restored. */
  readonly notice: JSX.Element;
  /** The dialog about conflicts; undefined if there are none. */
  readonly conflict: JSX.Element | undefined;
}

/**
 * Keeps the edits of a thing that somebody else may change at the same time. Saving merges both changes, and asks about the parts that
 * both have changed. The edits stay if saving fails. Readers are asked before they leave the page with edits.
 */
export function useEdits<T extends object, A = unknown>(options: EditsOptions<T, A>): Edits<T, A> {
  const { key, original, load, onSaved, lastChange } = options;
  const { opened, draft, setDraft, isEdited, restoredAt, restart, forget } = useDraft(key, original);
  const [conflicting, setConflicting] = useState<ConflictingEdits<T> & { readonly send: Send<T, A> }>();
  const { isBusy, problems, refusal, send: attempt } = useSending();

  async function save(send: Send<T, A>, mine = draft, base = opened): Promise<void> {
    if (isBusy) return;
    setConflicting(undefined);
    const isDone = await attempt(async () => {
      let answer!: A;
      const sendOnce: Send<T, void> = async (edits, state) => {
        answer = await send(edits, state);
      };
      const found = await saveEdits({ opened: base, mine, send: sendOnce, loadCurrent: load });
      if (found !== undefined) return setConflicting({ ...found, send });
      forget();
      const current = await load();
      if (current !== undefined) restart(current);
      await onSaved(mine, answer);
    });
    // The page shows what has made it fail, such as a rule that is new.
    if (!isDone) void load();
  }

  return {
    ...{ opened: opened.value, draft, isEdited, isBusy, problems, refusal, forget },
    set: (change) => setDraft({ ...draft, ...change }),
    save: (event) => {
      event?.preventDefault();
      void save(options.send);
    },
    saveBy: (send) => save(send),
    notice: <DraftNotice restoredAt={restoredAt} onDiscard={() => restart(original)} />,
    conflict: conflicting && (
      <Later
        load={loadDialog<T>}
        props={{
          edits: conflicting,
          change: lastChange,
          onChoose: (merged) => {
            setDraft(merged);
            void save(conflicting.send, merged, conflicting.current);
          },
          onClose: () => setConflicting(undefined),
        }}
      />
    ),
  };
}
