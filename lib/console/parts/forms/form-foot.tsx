import './form.css';
import type { ComponentChildren, JSX } from 'preact';
import { Button, ButtonLink } from '../button.tsx';
import { FormProblems } from '../form-problems.tsx';

interface FormFootProps {
  /** The verb of the form, on its button. */
  readonly verb: string;
  readonly isBusy: boolean;
  /** The reasons why the last attempt failed. */
  readonly problems: readonly string[];
  readonly isDisabled?: boolean;
  /** The reason why the reader may not do it. */
  readonly reason?: string | undefined;
  /** The path of the page to go back to, or a function that closes the form; undefined for a form that stays. */
  readonly cancel?: string | (() => void);
  /** Plain for a form that is not the main part of its page. */
  readonly kind?: 'solid' | 'plain';
  /** More texts or buttons beside these. */
  readonly children?: ComponentChildren;
}

/** The foot of a form: its problems, a button that cancels, and a button that sends it. */
export function FormFoot({
  verb,
  isBusy,
  problems,
  isDisabled = false,
  reason,
  cancel,
  kind = 'solid',
  children,
}: FormFootProps): JSX.Element {
  return (
    <>
      <FormProblems problems={problems} />
      <div class="form-foot">
        {children}
        {typeof cancel === 'string' && <ButtonLink href={cancel}>Cancel</ButtonLink>}
        {typeof cancel === 'function' && <Button onClick={cancel}>Cancel</Button>}
        <Button kind={kind} type="submit" isBusy={isBusy} isDisabled={isDisabled} reason={reason}>
          {verb}
        </Button>
      </div>
    </>
  );
}
