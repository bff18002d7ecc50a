import '../parts/forms/form.css';
import type { ComponentChildren, JSX } from 'preact';
import type { Edits } from '../parts/edits/use-edits.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { isAdmin, useStart } from '../reader/start.ts';

interface SsoFormProps {
  readonly name: string;
  readonly edits: Pick<Edits<object>, 'isBusy' | 'problems' | 'save' | 'notice' | 'conflict'>;
  readonly children: ComponentChildren;
}

/** The form for a way of single sign-on. */
export function SsoForm({ name, edits, children }: SsoFormProps): JSX.Element {
  const { value: start } = useStart();
  return (
    <form class="card form form-card" aria-label={name} onSubmit={edits.save}>
      {edits.notice}
      {children}
      <FormFoot
        verb="Save"
        problems={edits.problems}
        isBusy={edits.isBusy}
        reason={start === undefined || isAdmin(start) ? undefined : 'Only Admins may change how people sign in'}
      >
        <small>Sign in with it in a private window before you leave this session.</small>
      </FormFoot>
      {edits.conflict}
    </form>
  );
}
