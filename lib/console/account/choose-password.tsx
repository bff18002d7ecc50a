import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { changePassword, validateToken } from '../calls/sign-in.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { AccountPage, DeadLink } from './account-page.tsx';
import { PasswordField } from './password-field.tsx';
import { isGoodPassword } from './password-rules.ts';
import { signInWith } from './sign-in-with.ts';

interface ChoosePasswordProps {
  readonly token: string;
  readonly title: string;
  /** The advice for a dead link. */
  readonly advice: JSX.Element | string;
}

/** The form for a new password by a link. The person who chooses one is signed in with it. */
export function ChoosePassword({ token, title, advice }: ChoosePasswordProps): JSX.Element {
  const path = validateToken({}, { token });
  const { value: person, problem } = useRead(path, 600_000);
  const { isBusy, problems, send } = useSending();
  const [password, setPassword] = useState('');
  if (problem?.status === 401) return <DeadLink title="This link does not work any more">{advice}</DeadLink>;
  if (problem !== undefined) {
    return (
      <AccountPage title={title}>
        <Problem problem={problem} onRetry={() => reload(path)} />
      </AccountPage>
    );
  }
  if (person === undefined) {
    return (
      <AccountPage title={title}>
        <Skeleton rows={3} />
      </AccountPage>
    );
  }

  async function choose(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const isChosen = await send(() => changePassword({}, { body: { token, password } }));
    if (!isChosen || person === undefined) return;
    await signInWith(person.email, password);
  }

  return (
    <AccountPage title={title}>
      <p>{person.name === undefined ? person.email : `${person.name}, ${person.email}`}</p>
      <form onSubmit={choose}>
        <input
          class="hidden"
          type="text"
          name="username"
          autocomplete="username"
          value={person.email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <PasswordField label="New password" value={password} onInput={setPassword} />
        <FormProblems problems={problems} />
        <Button kind="solid" type="submit" isBusy={isBusy} isDisabled={!isGoodPassword(password)}>
          Choose this password
        </Button>
      </form>
    </AccountPage>
  );
}
