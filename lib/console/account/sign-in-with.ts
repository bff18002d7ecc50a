import { go } from '../browser/router.ts';
import { login } from '../calls/sign-in.ts';
import { clearCache } from '../data/cache.ts';
import { signedOut } from '../data/client.ts';

/** Signs in with a password that somebody has just chosen, and opens the first page. If that fails, the page asks to sign in. */
export async function signInWith(username: string, password: string): Promise<void> {
  await login({}, { body: { username, password } }).catch(() => {});
  clearCache();
  signedOut.value = undefined;
  go('/');
}
