import type { JSX } from 'preact';
import { useSending } from '../data/use-sending.ts';
import { type ActProps, FormDialog } from './form-dialog.tsx';

interface ConfirmProps extends ActProps {
  readonly act: () => unknown;
}

/** Asks before an act, carries it out, and shows why it fails. */
export function Confirm({ act, other, ...rest }: ConfirmProps): JSX.Element {
  const { isBusy, problems, send } = useSending();
  async function carryOut(way: () => unknown): Promise<void> {
    if (await send(async () => way())) rest.onClose();
  }
  return (
    <FormDialog
      {...rest}
      isBusy={isBusy}
      problems={problems}
      onSubmit={() => carryOut(act)}
      other={other && { verb: other.verb, act: () => carryOut(other.act) }}
    />
  );
}
