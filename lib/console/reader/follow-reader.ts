import { effect } from '@preact/signals';
import { ofTab } from '../browser/browser-storage.ts';
import { clearCache, entryOf } from '../data/cache.ts';
import { startPath } from './start.ts';

/** The place of the id of the reader in this tab. */
const key = 'reader';

/**
 * Forgets all drafts and answers in this tab if its reader is another one than before.
 * @returns true if it has forgotten them.
 */
export function becomeReader(id: number): boolean {
  const before = ofTab.get(key);
  const isOther = before !== null && before !== String(id);
  if (isOther) {
    ofTab.clear();
    clearCache();
  }
  ofTab.set(key, String(id));
  return isOther;
}

/** Loads the page again when somebody else has signed in, such as in another tab of this browser. */
export function followReader(): void {
  effect(() => {
    const reader = entryOf(startPath).value?.user.id;
    if (reader !== undefined && becomeReader(reader)) location.reload();
  });
}
