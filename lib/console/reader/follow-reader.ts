import { effect } from '@preact/signals';
import { tabStorage } from '../browser/browser-storage.ts';
import { clearCache, entryOf } from '../data/cache.ts';
import { startPath } from './start.ts';

/** The key of the id of the reader in the storage of the tab. */
const key = 'reader';

/**
 * Remembers the reader of this tab, and forgets all drafts and answers of another one.
 * @returns true if it has forgotten some.
 */
export function forgetOtherReader(id: number): boolean {
  const before = tabStorage.get(key);
  const isOther = before !== null && before !== String(id);
  if (isOther) {
    tabStorage.clear();
    clearCache();
  }
  tabStorage.set(key, String(id));
  return isOther;
}

/** Loads the page again when somebody else has signed in, such as in another tab of this browser. */
export function followReader(): void {
  effect(() => {
    const reader = entryOf(startPath).value?.user.id;
    if (reader !== undefined && forgetOtherReader(reader)) location.reload();
  });
}
