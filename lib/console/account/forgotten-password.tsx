import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sendResetPasswordEmail } from '../calls/sign-in.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { AccountPage } from './account-page.tsx';

/** The page on which somebody asks for a link to choose another password. It says the same for every address. */
export function ForgottenPasswordPage(): JSX.Element {
  const { isBusy, problems, send } = useSending();
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  async function ask(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (await send(() => sendResetPasswordEmail({}, { body: { email: email.trim() } }))) setSent(true);
  }
  if (isSent) {
    return (
      <AccountPage title="Look into your mail">
        <p role="status">
          If somebody has an account with {email.trim()}, a link to choose a new password is on its way. Nothing comes?
          Perhaps this service sends no mail: ask an Admin for a link.
        </p>
        <a class="button plain" href="/">
          Sign in
        </a>
      </AccountPage>
    );
  }
  return (
    <AccountPage title="Forgotten your password?">
      <form onSubmit={ask}>
        <TextField
          label="E-mail"
          hint="The address of your account. A link is sent there."
          type="email"
          autocomplete="username"
          required
          value={email}
          onInput={setEmail}
        />
        <FormProblems problems={problems} />
        <Button kind="solid" type="submit" isBusy={isBusy}>
          Send the link
        </Button>
      </form>
      <a href="/">Sign in</a>
    </AccountPage>
  );
}
