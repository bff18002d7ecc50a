import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { addChangeRequestChanges } from '../calls/requests.ts';
import type { Refusal } from '../data/client.ts';
import { mayIn, useStart } from '../data/start.ts';
import { Emergency } from '../override/emergency.tsx';
import { OverrideDialog } from '../override/override-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FieldProblem } from '../parts/field.tsx';
import { go } from '../shell/router.ts';
import { addToDraft, describeDraft, orWithoutApproval } from '../words/change-requests.ts';
import { shortCount } from '../words/numbers.ts';
import { maySkipApproval, type SwitchPlace, wayOf } from './change-way.ts';

interface SwitchDialogProps {
  readonly place: SwitchPlace;
  /** The state to switch to. */
  readonly isOn: boolean;
  /** The number of times that applications got "on" in about the last hour. */
  readonly onPerHour: number;
  readonly onSwitch: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before production changes, and leads to approval if a change needs it. */
export function SwitchDialog(props: SwitchDialogProps): JSX.Element {
  const { value: start } = useStart();
  const [isOverriding, setOverriding] = useState(false);
  const { place, isOn, onSwitch, onClose } = props;
  if (isOverriding) {
    return (
      <OverrideDialog
        project={place.project}
        environment={place.environment}
        verb={`switch ${isOn ? 'on' : 'off'}`}
        onStarted={onSwitch}
        onClose={onClose}
        onBack={() => setOverriding(false)}
      />
    );
  }
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
  onSwitch,
  onClose,
  onOverride,
}: SwitchDialogProps & { readonly onOverride: () => void }): JSX.Element {
  const { value: start } = useStart();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { flag, project, environment, approvals } = place;
  const mayOverride = mayIn(start, 'APPROVE_CHANGE_REQUEST', project, environment);
  const maySkip = maySkipApproval(start, place);
  const word = isOn ? 'on' : 'off';

  async function skip(): Promise<void> {
    setBusy(true);
    await onSwitch();
    onClose();
  }

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
      title={`Switch ${flag} ${word} in ${environment}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {maySkip && (
            <Button isBusy={isBusy} onClick={skip}>
              Switch {word} without approval
            </Button>
          )}
          <Button kind="solid" icon="git-pull-request" isBusy={isBusy} onClick={ask}>
            {addToDraft}
          </Button>
        </>
      }
    >
      <p>
        {describeDraft(environment, approvals)} {maySkip && orWithoutApproval}
      </p>
      {problem !== undefined && <FieldProblem text={problem} />}
      {mayOverride && <Emergency onOverride={onOverride} />}
    </Dialog>
  );
}
