import { clearCache } from '../data/cache.ts';
import { signedOut } from '../data/client.ts';
import { showProblem } from '../parts/toasts.tsx';
import { leaveQuestions, mayLeave } from './router.ts';

/** Ends the session of this browser, and forgets everything that the page has of it. */
export async function signOut(): Promise<void> {
  if (!mayLeave()) return;
  // The service redirects to a page, for forms. A script must not follow: it would ask for that page as data.
  const reply = await fetch('/logout', { method: 'POST', redirect: 'manual' }).catch(() => undefined);
  if (reply?.type !== 'opaqueredirect') {
    showProblem('The service does not answer. You are still signed in.');
    return;
  }
  localStorage.clear();
  sessionStorage.clear();
  leaveQuestions.clear();
  clearCache();
  signedOut.value = { type: 'password' };
  location.assign('/');
}
