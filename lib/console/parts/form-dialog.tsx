import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormProblems } from './form-problems.tsx';
import type { IconName } from './icons.ts';

/** The texts and the looks of a dialog with an act. */
export interface ActProps {
  /** A question that names the object: "Archive new-checkout?". */
  readonly title: string;
  /** The verb of the act, on its button; undefined if the dialog can only be closed. */
  readonly verb: string | undefined;
  /** The text of the button that cancels. */
  readonly cancel?: string | undefined;
  readonly kind?: 'confirm' | 'urgent' | 'wide';
  readonly icon?: IconName;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** The reason why the act is not possible now. */
  readonly reason?: string | undefined;
  /** Called by the button that cancels; `onClose` unless it is given. */
  readonly onCancel?: () => void;
  readonly onClose: () => void;
  /** Another way to do it, with its verb. */
  readonly other?: { readonly verb: string; readonly act: () => unknown } | undefined;
  /** The effect of the act, and the fields that it needs. */
  readonly children: ComponentChildren;
}

interface FormDialogProps extends ActProps {
  readonly isBusy: boolean;
  /** The reasons why the act has failed. */
  readonly problems: readonly string[];
  readonly onSubmit: () => void;
}

/** A dialog with an act: text and fields, problems, and a button with the verb. Enter in a field presses the button. */
export function FormDialog({
  title,
  verb,
  cancel = 'Cancel',
  kind,
  icon,
  isDanger = false,
  isBusy,
  isDisabled,
  reason,
  problems,
  onSubmit,
  onClose,
  onCancel = onClose,
  other,
  children,
}: FormDialogProps): JSX.Element {
  const id = useId();
  return (
    <Dialog
      title={title}
      {...(kind && { kind })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onCancel}>{cancel}</Button>
          {other !== undefined && (
            <Button isBusy={isBusy} isDisabled={isDisabled ?? false} reason={reason} onClick={other.act}>
              {other.verb}
            </Button>
          )}
          {verb !== undefined && (
            <Button
              type="submit"
              form={id}
              kind={isDanger ? 'danger' : 'solid'}
              {...(icon && { icon })}
              isBusy={isBusy}
              isDisabled={isDisabled ?? false}
              reason={reason}
            >
              {verb}
            </Button>
          )}
        </>
      }
    >
      <form
        id={id}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onSubmit();
        }}
      >
        {children}
        {verb !== undefined && <FormProblems problems={problems} />}
      </form>
    </Dialog>
  );
}
