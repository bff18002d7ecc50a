import './switch.css';
import type { JSX } from 'preact';
import { showProblem } from './toasts.tsx';

interface SwitchProps {
  readonly isOn: boolean;
  /** The thing that is switched, such as "new-checkout in production". */
  readonly label: string;
  readonly onSwitch: (isOn: boolean) => void;
  readonly isBusy?: boolean;
  readonly isBig?: boolean;
  /** The reason why it cannot be switched: a tooltip, which screen readers read as its description, and a message when it is pressed. */
  readonly reason?: string | undefined;
}

/** A switch with its state as a word beside it, so that the state never depends on a colour alone. */
export function Switch({ isOn, label, onSwitch, isBusy = false, isBig = false, reason }: SwitchProps): JSX.Element {
  const isRefused = reason !== undefined;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-busy={isBusy || undefined}
      aria-disabled={isRefused || undefined}
      title={reason}
      class={isBig ? 'switch big' : 'switch'}
      onClick={() => {
        if (isRefused) showProblem(reason);
        else if (!isBusy) onSwitch(!isOn);
      }}
    >
      <span class="switch-track">
        <span class="switch-knob" />
      </span>
      <span class="switch-word" aria-hidden="true">
        {isOn ? 'On' : 'Off'}
      </span>
    </button>
  );
}
