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
  /** The page to which one goes back, or how the form closes; undefined for a form that stays. */
  readonly cancel?: string | (() => void);
  /** Plain for a form that is not the main thing of its page. */
  readonly kind?: 'solid' | 'plain';
  /** More words or buttons beside these. */
  readonly children?: ComponentChildren;
}

/** The end of a form: why it failed, the way out, and the button that sends it. */
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
