import { tabStorage } from '../browser/browser-storage.ts';
import { leaveQuestions, mayLeave } from '../browser/router.ts';
import { clearCache } from '../data/cache.ts';
import { signedOut } from '../data/client.ts';
import { showProblem } from '../parts/toasts.tsx';

/** The tabs of this browser with the console. */
const tabs = new BroadcastChannel('signed out');

/**
 * Ends the session of this browser, and forgets everything that its tabs have of the person. The choices of the browser stay: its
 * theme is about the screen, and nobody can read from it who was there.
 */
export async function signOut(): Promise<void> {
  if (!mayLeave()) return;
  // The service redirects to a page, for forms. A script must not follow: it would ask for that page as data.
  const reply = await fetch('/logout', { method: 'POST', redirect: 'manual' }).catch(() => undefined);
  if (reply?.type !== 'opaqueredirect') {
    showProblem('The service does not answer. You are still signed in.');
    return;
  }
  tabs.postMessage('');
  forgetPerson();
  location.assign('/');
}

/** Signs this tab out when another one does; it stays at its address. */
export function followSignOut(): void {
  tabs.onmessage = () => {
    forgetPerson();
    location.reload();
  };
}

function forgetPerson(): void {
  tabStorage.clear();
  leaveQuestions.clear();
  clearCache();
  signedOut.value = { type: 'password' };
}
