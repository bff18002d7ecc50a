import { clearCache } from '../data/cache.ts';
import { sendRequest, signedOut } from '../data/client.ts';
import { showProblem } from '../parts/toasts.tsx';

/** Ends the session of this browser, and forgets everything that the page has of it. */
export async function signOut(): Promise<void> {
  try {
    await sendRequest('POST', '/logout');
  } catch (error) {
    showProblem((error as Error).message);
    return;
  }
  localStorage.clear();
  sessionStorage.clear();
  clearCache();
  signedOut.value = { type: 'password' };
  location.assign('/');
}
