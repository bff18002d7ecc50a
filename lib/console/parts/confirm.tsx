import type { ComponentChildren, JSX } from 'preact';
import { useSending } from '../data/use-sending.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormProblems } from './form-problems.tsx';

interface ConfirmProps {
  /** A question that names the object: "Archive new-checkout?". */
  readonly title: string;
  /** The verb of the act, on its button. */
  readonly verb: string;
  readonly isDanger?: boolean;
  /** The reason why the act is not possible now. */
  readonly reason?: string | undefined;
  readonly act: () => Promise<unknown>;
  /** Another way to do it, with its verb. */
  readonly other?: { readonly verb: string; readonly act: () => Promise<unknown> } | undefined;
  readonly onClose: () => void;
  /** The effect of the act. */
  readonly children: ComponentChildren;
}

/** Asks before an act, carries it out, and shows why it fails. */
export function Confirm({ title, verb, isDanger, reason, act, other, onClose, children }: ConfirmProps): JSX.Element {
  const { isBusy, problems, send } = useSending();
  async function carryOut(way: () => Promise<unknown>): Promise<void> {
    if (await send(way)) onClose();
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {other !== undefined && (
            <Button isBusy={isBusy} reason={reason} onClick={() => carryOut(other.act)}>
              {other.verb}
            </Button>
          )}
          <Button kind={isDanger ? 'danger' : 'solid'} isBusy={isBusy} reason={reason} onClick={() => carryOut(act)}>
            {verb}
          </Button>
        </>
      }
    >
      <div>{children}</div>
      <FormProblems problems={problems} />
    </Dialog>
  );
}
