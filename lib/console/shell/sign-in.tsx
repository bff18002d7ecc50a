import './sign-in.css';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clearCache, loadAddress } from '../data/cache.ts';
import { type Refusal, type SignInWays, sendRequest, signedOut } from '../data/client.ts';
import { Brand } from '../parts/brand.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Field, FieldProblem } from '../parts/field.tsx';
import { forgetOtherReader } from '../reader/follow-reader.ts';
import { startPath } from '../reader/start.ts';
import { keepWantedPage } from './wanted-page.ts';

/** The ways in besides a password. */
function otherWays({ options = [] }: SignInWays) {
  return options.filter(({ type }) => type !== 'simple' && type !== 'password');
}

/** The form to sign in. It stands in the place of every page, whose address stays. */
export function SignIn({ ways }: { readonly ways: SignInWays }): JSX.Element {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    // Most answers to a caller whose session has ended do not list the identity providers.
    if (ways.options === undefined) void loadAddress(startPath, 0);
  }, []);
  const hasPasswords = ways.type === 'password' || ways.defaultHidden !== true;

  async function signIn(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { username: form.get('username'), password: form.get('password') };
      const reply = await sendRequest<{ readonly id: number }>('POST', '/auth/simple/login', { body });
      // Drafts of somebody else must not show, not even for a moment.
      forgetOtherReader(reply.body.id);
      clearCache();
      signedOut.value = undefined;
    } catch (error) {
      signedOut.value = ways;
      setProblem(describeFailure(error as Refusal));
      setBusy(false);
    }
  }

  return (
    <main class="sign-in">
      <div class="sign-in-form">
        <Brand size={34} />
        <h1>Sign in to Flagstaff</h1>
        {hasPasswords && (
          <form onSubmit={signIn}>
            <Field label="User name or e-mail">
              <input class="input" name="username" autocomplete="username" autocapitalize="none" required />
            </Field>
            <Field label="Password">
              <input class="input" name="password" type="password" autocomplete="current-password" required />
            </Field>
            {problem !== undefined && <FieldProblem text={problem} />}
            <Button kind="solid" type="submit" isBusy={isBusy}>
              Sign in
            </Button>
            <a href="/forgotten-password">Forgotten your password?</a>
          </form>
        )}
        {otherWays(ways).map(({ path, message }) => (
          <ButtonLink key={path} href={path} onClick={keepWantedPage}>
            {message}
          </ButtonLink>
        ))}
        <a href="/docs">API reference</a>
      </div>
    </main>
  );
}

/** Says the same about an unknown name and a wrong password. */
function describeFailure({ status, message, retryAfter }: Refusal): string {
  if (status === 401) return 'That name and password do not belong together.';
  if (status === 429 && retryAfter !== undefined) return `${message} Try again in ${Math.ceil(retryAfter / 60)} min.`;
  return message;
}
