import '../parts/chip.css';
import './override.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { startChangeRequestOverride } from '../calls/requests.ts';
import { reload } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { startPath } from '../data/start.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { showMessage } from '../parts/toasts.tsx';
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
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function override(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const { body } = await startChangeRequestOverride(
        { projectId: project, environment },
        { body: { reason: reason.trim(), minutes } },
      );
      await reload(startPath);
      // The clock of this browser may be late by some seconds.
      const isLater = Date.parse(body.from) - Date.now() > 20_000;
      if (isLater) showMessage(`The override begins ${describeTime(body.from)}. Until then, others may end it.`);
      else await onStarted();
    } catch (error) {
      setProblem((error as Refusal).message);
      setBusy(false);
      return;
    }
    onClose();
  }

  return (
    <Dialog
      kind="urgent"
      title={`Override approval in ${environment}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onBack}>Back</Button>
          <Button
            kind="danger"
            icon="zap"
            type="submit"
            form="override"
            isBusy={isBusy}
            isDisabled={reason.trim().length < reasonMin}
          >
            Override and {verb}
          </Button>
        </>
      }
    >
      <p>
        For {minutes} minutes you may change <b>{environment}</b> of the project <b>{project}</b> without approval. What
        you change stays when the time is over. Everybody who may approve hears of it in Reviews, and it waits there
        until one of them has seen what you changed.
      </p>
      <form id="override" class="override" onSubmit={override}>
        <Field label="What is wrong?" problem={problem}>
          <input
            class="input"
            maxLength={1_000}
            placeholder="Orders fail since 02:41"
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </Field>
        <div class="override-reasons">
          {reasons.map((text) => (
            <button
              key={text}
              type="button"
              class="chip"
              aria-pressed={reason === text}
              onClick={() => setReason(text)}
            >
              {text}
            </button>
          ))}
        </div>
        <Field label="For how long?">
          <select class="input" value={minutes} onChange={(event) => setMinutes(Number(event.currentTarget.value))}>
            {minuteChoices.map((choice) => (
              <option key={choice} value={choice}>
                {choice} minutes
              </option>
            ))}
          </select>
        </Field>
      </form>
    </Dialog>
  );
}
