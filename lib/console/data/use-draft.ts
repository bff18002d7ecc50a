import { useEffect, useState } from 'preact/hooks';
import { mayLeave } from '../shell/router.ts';
import type { Versioned } from './save-edits.ts';

/** Edits of a form that survive a reload of the page. */
interface DraftState<T> {
  /** The state when the edits began, with its version. */
  readonly opened: Versioned<T>;
  readonly draft: T;
  readonly setDraft: (draft: T) => void;
  readonly isEdited: boolean;
  /** Forgets the edits, once they are saved or given up. */
  readonly forget: () => void;
}

interface StoredDraft<T> {
  readonly opened: Versioned<T>;
  readonly draft: T;
}

/**
 * Keeps the edits of a form in this tab under a key, and asks before somebody leaves the page with them.
 * @param original the state without edits, and its version. Edits stay based on the state in which they began.
 */
export function useDraft<T extends object>(key: string, original: Versioned<T>): DraftState<T> {
  const [stored] = useState(() => readStored<T>(key));
  const [opened] = useState(stored?.opened ?? original);
  const [draft, setDraft] = useState(stored?.draft ?? original.value);
  const isEdited = JSON.stringify(draft) !== JSON.stringify(opened.value);
  useEffect(() => {
    if (isEdited) storeDraft(key, opened, draft);
    else sessionStorage.removeItem(key);
    mayLeave.ask = () => !isEdited || confirm('Leave without saving? Your edits stay here until you close this tab.');
    return () => {
      mayLeave.ask = () => true;
    };
  }, [key, opened, draft, isEdited]);
  function forget(): void {
    sessionStorage.removeItem(key);
    mayLeave.ask = () => true;
  }
  return { opened, draft, setDraft, isEdited, forget };
}

/** Stores edits for a form that is opened next. */
export function storeDraft<T extends object>(key: string, opened: Versioned<T>, draft: T): void {
  sessionStorage.setItem(key, JSON.stringify({ opened, draft }));
}

function readStored<T>(key: string): StoredDraft<T> | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : JSON.parse(text);
}
