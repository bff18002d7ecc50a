import '../parts/chip.css';
import './switch-dialog.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { addChangeRequestChanges, startChangeRequestOverride } from '../calls/requests.ts';
import { reload } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { mayIn, startPath, useStart } from '../data/start.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, FieldProblem } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { go } from '../shell/router.ts';
import { shortCount } from '../words/numbers.ts';
import { type SwitchPlace, wayOf } from './switching.ts';

interface SwitchDialogProps {
  readonly place: SwitchPlace;
  /** The state to switch to. */
  readonly isOn: boolean;
  /** The number of times that applications got "on" in about the last hour. */
  readonly onPerHour: number;
  readonly onSwitch: () => Promise<void>;
  readonly onClose: () => void;
}

/** Minutes of an override from here. */
const overrideMinutes = 15;

const reasons = ['Errors are up', 'Too slow', 'Wrong data shown', 'Security'];

/** Asks before production changes, and leads to approval if a change needs it. */
export function SwitchDialog(props: SwitchDialogProps): JSX.Element {
  const { value: start } = useStart();
  const [isOverriding, setOverriding] = useState(false);
  if (isOverriding) return <OverrideDialog {...props} onBack={() => setOverriding(false)} />;
  if (wayOf(start, props.place) === 'direct') return <ConfirmDialog {...props} />;
  return <ApprovalDialog {...props} onOverride={() => setOverriding(true)} />;
}

function ConfirmDialog({ place, isOn, onPerHour, onSwitch, onClose }: SwitchDialogProps): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const word = isOn ? 'on' : 'off';
  async function confirm(): Promise<void> {
    setBusy(true);
    await onSwitch();
    onClose();
  }
  return (
    <Dialog
      title={`Switch ${place.flag} ${word} in ${place.environment}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={isOn ? 'solid' : 'danger'} isBusy={isBusy} onClick={confirm}>
            Switch {word} now
          </Button>
        </>
      }
    >
      <p>{describeEffect(isOn, onPerHour)}</p>
    </Dialog>
  );
}

function describeEffect(isOn: boolean, onPerHour: number): string {
  if (isOn) return 'Everybody whom a strategy matches gets it within seconds.';
  if (onPerHour === 0) return 'Applications get off within seconds.';
  return `Applications got on ${shortCount(onPerHour)} times in the last hour. They get off within seconds.`;
}

function ApprovalDialog({
  place,
  isOn,
  onClose,
  onOverride,
}: SwitchDialogProps & { readonly onOverride: () => void }): JSX.Element {
  const { value: start } = useStart();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { flag, project, environment, approvals = 1 } = place;
  const mayOverride = mayIn(start, 'APPROVE_CHANGE_REQUEST', project, environment);

  async function ask(): Promise<void> {
    setBusy(true);
    const payload = { enabled: isOn, shouldActivateDisabledStrategies: false };
    try {
      const { body } = await addChangeRequestChanges(
        { projectId: project, environment },
        { body: { feature: flag, action: 'updateEnabled', payload } },
      );
      const [request] = [body].flat();
      onClose();
      if (request !== undefined) go(`/projects/${project}/change-requests/${request.id}`);
    } catch (error) {
      setProblem((error as Refusal).message);
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={`Switch ${flag} ${isOn ? 'on' : 'off'} in ${environment}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="solid" icon="git-pull-request" isBusy={isBusy} onClick={ask}>
            Ask for approval
          </Button>
        </>
      }
    >
      <p>
        Changes here need {approvals === 1 ? 'one approval' : `${approvals} approvals`}. Your change goes into a change
        request, and is applied once others approve it.
      </p>
      {problem !== undefined && <FieldProblem text={problem} />}
      {mayOverride && (
        <button type="button" class="emergency" onClick={onOverride}>
          <Icon name="zap" size={18} />
          <span>
            <strong>It cannot wait?</strong>
            Override approval. Somebody reviews afterwards what you did.
          </span>
          <Icon name="chevron-right" />
        </button>
      )}
    </Dialog>
  );
}

function OverrideDialog({
  place,
  isOn,
  onSwitch,
  onClose,
  onBack,
}: SwitchDialogProps & { readonly onBack: () => void }): JSX.Element {
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { project, environment } = place;

  async function override(): Promise<void> {
    setBusy(true);
    try {
      await startChangeRequestOverride(
        { projectId: project, environment },
        { body: { reason, minutes: overrideMinutes } },
      );
    } catch (error) {
      setProblem((error as Refusal).message);
      setBusy(false);
      return;
    }
    await onSwitch();
    await reload(startPath);
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
          <Button kind="danger" icon="zap" isBusy={isBusy} isDisabled={reason.trim().length < 3} onClick={override}>
            Override and switch {isOn ? 'on' : 'off'}
          </Button>
        </>
      }
    >
      <p>
        For {overrideMinutes} minutes you may change <b>{environment}</b> of this project without approval. Everybody
        who may approve gets a mail, and the change stays open until one of them has reviewed it.
      </p>
      <Field label="What is wrong?" problem={problem}>
        <input
          class="input"
          placeholder="Orders fail since 02:41"
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </Field>
      <div class="reasons">
        {reasons.map((text) => (
          <button key={text} type="button" class="chip" aria-pressed={reason === text} onClick={() => setReason(text)}>
            {text}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
