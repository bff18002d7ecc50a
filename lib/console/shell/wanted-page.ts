import { effect } from '@preact/signals';
import { tabStorage } from '../browser/browser-storage.ts';
import { go } from '../browser/router.ts';
import { entryOf } from '../data/cache.ts';
import { startPath } from '../reader/start.ts';

/** The key of the address in this tab. */
const key = 'wanted';

/** The page to which single sign-on leads everybody. */
const landing = '/projects';

/** Remembers the page that somebody wants to see, while they sign in elsewhere. */
export function keepWantedPage(): void {
  tabStorage.set(key, location.pathname + location.search + location.hash);
}

/** Leads on to that page once somebody is signed in. */
export function followWantedPage(): void {
  effect(() => {
    if (entryOf(startPath).value === undefined) return;
    const wanted = tabStorage.get(key);
    tabStorage.remove(key);
    if (wanted !== null && location.pathname === landing) go(wanted, { replace: true });
  });
}
