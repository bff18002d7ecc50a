import './override.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { startChangeRequestOverride } from '../calls/requests.ts';
import { reload } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Chips } from '../parts/forms/chips.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { startPath } from '../reader/start.ts';
import { describeTime } from '../words/times.ts';

interface OverrideProps {
  readonly project: string;
  readonly environment: string;
  /** The change that follows, after "Override and": "switch off". */
  readonly verb: string;
  /** Makes the change; it says itself if that fails. */
  readonly onStarted: () => Promise<void>;
  readonly onClose: () => void;
  readonly onBack: () => void;
}

/** Minutes of an override to choose from. */
const minuteChoices = [5, 15, 30, 60];

const reasons = ['Errors are up', 'Too slow', 'Wrong data shown', 'Security'];

/** The fewest characters of a reason that say something. */
const reasonMin = 3;

/**
 * Starts an override of approval, and makes the change for which it is needed. If the change fails, the override stays, and the bar
 * at the top of every page says so. Where overrides begin later, it only says when.
 */
export function OverrideDialog({ project, environment, verb, onStarted, onClose, onBack }: OverrideProps): JSX.Element {
  const [reason, setReason] = useState('');
  const [minutes, setMinutes] = useState(15);

  async function override(): Promise<void> {
    const { body } = await startChangeRequestOverride(
      { projectId: project, environment },
      { body: { reason: reason.trim(), minutes } },
    );
    await reload(startPath);
    // The clock of this browser may be late by some seconds.
    const isLater = Date.parse(body.from) - Date.now() > 20_000;
    if (isLater) showMessage(`The override begins ${describeTime(body.from)}. Until then, others may end it.`);
    else await onStarted();
  }

  return (
    <Confirm
      kind="urgent"
      title={`Override approval in ${environment}`}
      verb={`Override and ${verb}`}
      icon="zap"
      isDanger
      isDisabled={reason.trim().length < reasonMin}
      act={override}
      cancel="Back"
      onCancel={onBack}
      onClose={onClose}
    >
      <p>
        For {minutes} minutes you may change <b>{environment}</b> of the project <b>{project}</b> without approval. What
        you change stays when the time is over. Everybody who may approve hears of it in Reviews, and it waits there
        until one of them has seen what you changed.
      </p>
      <TextField
        label="What is wrong?"
        maxLength={1_000}
        placeholder="Orders fail since 02:41"
        value={reason}
        onInput={setReason}
      />
      <Chips
        label="Frequent reasons"
        isTitled={false}
        options={reasons.map((text) => [text, text] as const)}
        chosen={[reason]}
        onPress={setReason}
      />
      <SelectField
        label="For how long?"
        value={String(minutes)}
        options={minuteChoices.map((choice) => [String(choice), `${choice} minutes`] as const)}
        onChoose={(value) => setMinutes(Number(value))}
      />
    </Confirm>
  );
}
