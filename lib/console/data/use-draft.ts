import { useEffect, useRef, useState } from 'preact/hooks';
import { tabStorage } from '../browser/browser-storage.ts';
import { leaveQuestions } from '../browser/router.ts';
import type { Versioned } from './save-edits.ts';

/** Edits of a form, which survive a reload of the page where they have a key. */
interface DraftState<T> {
  /** The state when the edits began, with its version. */
  readonly opened: Versioned<T>;
  readonly draft: T;
  readonly setDraft: (draft: T) => void;
  readonly isEdited: boolean;
  /** The time at which edits of before were made, in milliseconds since 1970; undefined if the form began without. */
  readonly restoredAt: number | undefined;
  /** Gives up the edits: the form shows a state without them. */
  readonly restart: (state: Versioned<T>) => void;
  /** Forgets the edits, once they are saved or given up. */
  readonly forget: () => void;
}

interface StoredDraft<T> {
  readonly opened: Versioned<T>;
  readonly draft: T;
  /** The time of the last edit; missing in one that another page has prepared. */
  readonly at?: number;
}

/**
 * Keeps the edits of a form in this tab under a key, and asks before somebody leaves the page with them.
 * @param key undefined for edits that nothing may keep, such as those with a secret.
 * @param original the state without edits, and its version. Edits stay based on the state in which they began.
 */
export function useDraft<T extends object>(key: string | undefined, original: Versioned<T>): DraftState<T> {
  const [stored] = useState(() => readStored<T>(key));
  const [opened, setOpened] = useState(stored?.opened ?? original);
  const [restoredAt, setRestoredAt] = useState(stored?.at);
  const [draft, setDraft] = useState(stored?.draft ?? original.value);
  const form = useRef({}).current;
  const isEdited = JSON.stringify(draft) !== JSON.stringify(opened.value);
  useEffect(() => {
    if (!isEdited) return forget();
    if (key !== undefined) write(key, draft === stored?.draft ? stored : { opened, draft, at: Date.now() });
    const loss = key === undefined ? 'Your edits are lost then.' : 'Your edits stay here until you close this tab.';
    leaveQuestions.set(form, `Leave without saving? ${loss}`);
    return () => {
      leaveQuestions.delete(form);
    };
  }, [key, opened, draft, isEdited]);
  function forget(): void {
    if (key !== undefined) tabStorage.remove(key);
    leaveQuestions.delete(form);
  }
  function restart(state: Versioned<T>): void {
    setOpened(state);
    setDraft(state.value);
    setRestoredAt(undefined);
  }
  return { opened, draft, setDraft, isEdited, restoredAt, restart, forget };
}

/** Stores edits for a form that is opened next. */
export function storeDraft<T extends object>(key: string, opened: Versioned<T>, draft: T): void {
  write(key, { opened, draft });
}

function write<T>(key: string, stored: StoredDraft<T>): void {
  tabStorage.set(key, JSON.stringify(stored));
}

function readStored<T>(key: string | undefined): StoredDraft<T> | undefined {
  const text = key === undefined ? null : tabStorage.get(key);
  return text === null ? undefined : JSON.parse(text);
}
