import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { PasswordField } from '../account/password-field.tsx';
import { isGoodPassword } from '../account/password-rules.ts';
import { changeMyPassword } from '../calls/sign-in.ts';
import { Refusal } from '../data/client.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
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
        <Field label="Current password">
          <input
            class="input"
            type="password"
            autocomplete="current-password"
            required
            value={oldPassword}
            onInput={(event) => setOld(event.currentTarget.value)}
          />
        </Field>
        <PasswordField label="New password" value={password} onInput={setPassword} />
        <FormProblems problems={problems} />
        <div class="form-foot">
          <Button type="submit" isBusy={isBusy} isDisabled={oldPassword === '' || !isGoodPassword(password)}>
            Change the password
          </Button>
          <small>It ends your other sessions.</small>
        </div>
      </form>
    </section>
  );
}

function describeRefusal(error: unknown): never {
  if (error instanceof Refusal && error.status === 401)
    throw new Refusal(401, { message: 'That is not your current password.' });
  throw error;
}
