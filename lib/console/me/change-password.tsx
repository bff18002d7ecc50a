import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { PasswordField } from '../account/password-field.tsx';
import { isGoodPassword } from '../account/password-rules.ts';
import { changeMyPassword } from '../calls/sign-in.ts';
import { Refusal } from '../data/client.ts';
import { useSending } from '../data/use-sending.ts';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';

/** The form for another password of the reader. */
export function ChangePassword(): JSX.Element {
  const { isBusy, problems, send } = useSending();
  const [oldPassword, setOld] = useState('');
  const [password, setPassword] = useState('');
  async function change(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const isChanged = await send(() =>
      changeMyPassword({}, { body: { oldPassword, password } }).catch(describeRefusal),
    );
    if (!isChanged) return;
    setOld('');
    setPassword('');
    showMessage('Your password is changed, and your other sessions are ended');
  }
  return (
    <section class="section" aria-labelledby="password">
      <h2 id="password">Your password</h2>
      <form class="card form form-card" onSubmit={change}>
        <TextField
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
          value={oldPassword}
          onInput={setOld}
        />
        <PasswordField label="New password" value={password} onInput={setPassword} />
        <FormFoot
          verb="Change the password"
          problems={problems}
          isBusy={isBusy}
          isDisabled={oldPassword === '' || !isGoodPassword(password)}
          kind="plain"
        >
          <small>It ends your other sessions.</small>
        </FormFoot>
      </form>
    </section>
  );
}

function describeRefusal(error: unknown): never {
  if (error instanceof Refusal && error.status === 401)
    throw new Refusal(401, { message: 'That is not your current password.' });
  throw error;
}
