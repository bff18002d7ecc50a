import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { addPublicSignupTokenUser, validatePublicSignupToken } from '../calls/sign-in.ts';
import { useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { AccountPage, DeadLink } from './account-page.tsx';
import { PasswordField } from './password-field.tsx';
import { isGoodPassword } from './password-rules.ts';
import { signInWith } from './sign-in-with.ts';

/** The page on which somebody with an invitation link makes an account. */
export function AcceptInvitation({ invite }: { readonly invite: string }): JSX.Element {
  const { problem } = useRead(validatePublicSignupToken({ token: invite }), 600_000);
  const { isBusy, problems, send } = useSending();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  if (problem !== undefined && problem.status >= 400 && problem.status < 500) {
    return (
      <DeadLink title="This invitation does not work any more">
        It has expired, or somebody has switched it off. Ask the person who sent it for another one.
      </DeadLink>
    );
  }

  async function signUp(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const isIn = await send(() =>
      addPublicSignupTokenUser({ token: invite }, { body: { name: name.trim(), email: email.trim(), password } }),
    );
    if (!isIn) return;
    await signInWith(email.trim(), password);
  }

  return (
    <AccountPage title="Make your account">
      <p>You are invited to look at the flags here.</p>
      <form onSubmit={signUp}>
        <TextField label="Name" autocomplete="name" maxLength={255} required value={name} onInput={setName} />
        <TextField label="E-mail" type="email" autocomplete="username" required value={email} onInput={setEmail} />
        <PasswordField label="Password" value={password} onInput={setPassword} />
        <FormProblems problems={problems} />
        <Button kind="solid" type="submit" isBusy={isBusy} isDisabled={!isGoodPassword(password)}>
          Make the account
        </Button>
      </form>
    </AccountPage>
  );
}
