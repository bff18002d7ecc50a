import '../parts/forms/form.css';
import type { ComponentChildren, JSX } from 'preact';
import { isAdmin, useStart } from '../data/start.ts';
import type { Sending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Check } from '../parts/forms/checks.tsx';

interface SsoFormProps {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly onEnable: (isEnabled: boolean) => void;
  readonly sending: Sending;
  readonly onSave: () => void;
  readonly children: ComponentChildren;
}

/** The form for a way of single sign-on. */
export function SsoForm({ name, isEnabled, onEnable, sending, onSave, children }: SsoFormProps): JSX.Element {
  const { value: start } = useStart();
  return (
    <form
      class="card form form-card"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Check label={`People can sign in with ${name}`} isChecked={isEnabled} onCheck={onEnable} />
      {children}
      <FormProblems problems={sending.problems} />
      <div class="form-foot">
        <small>Sign in with it in a private window before you leave this session.</small>
        <Button
          kind="solid"
          type="submit"
          isBusy={sending.isBusy}
          reason={start === undefined || isAdmin(start) ? undefined : 'Only Admins may change how people sign in'}
        >
          Save
        </Button>
      </div>
    </form>
  );
}
