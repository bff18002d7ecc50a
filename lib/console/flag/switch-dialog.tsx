import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { go } from '../browser/router.ts';
import { addChangeRequestChanges } from '../calls/requests.ts';
import { maySkipApproval, type SwitchPlace, wayOf } from '../change/change-way.ts';
import { Emergency } from '../override/emergency.tsx';
import { OverrideDialog } from '../override/override-dialog.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { addToDraft, describeDraft, orWithoutApproval } from '../words/change-requests.ts';
import { shortCount } from '../words/numbers.ts';

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
  const word = isOn ? 'on' : 'off';
  return (
    <Confirm
      title={`Switch ${place.flag} ${word} in ${place.environment}?`}
      verb={`Switch ${word} now`}
      isDanger={!isOn}
      act={onSwitch}
      onClose={onClose}
    >
      <p>{describeEffect(isOn, onPerHour)}</p>
    </Confirm>
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
  const { flag, project, environment, approvals } = place;
  const mayOverride = mayIn(start, 'APPROVE_CHANGE_REQUEST', project, environment);
  const maySkip = maySkipApproval(start, place);
  const word = isOn ? 'on' : 'off';

  async function ask(): Promise<void> {
    const payload = { enabled: isOn, shouldActivateDisabledStrategies: false };
    const { body } = await addChangeRequestChanges(
      { projectId: project, environment },
      { body: { feature: flag, action: 'updateEnabled', payload } },
    );
    const [request] = [body].flat();
    if (request !== undefined) go(`/projects/${project}/change-requests/${request.id}`);
  }

  return (
    <Confirm
      title={`Switch ${flag} ${word} in ${environment}`}
      verb={addToDraft}
      icon="git-pull-request"
      act={ask}
      other={maySkip ? { verb: `Switch ${word} without approval`, act: onSwitch } : undefined}
      onClose={onClose}
    >
      <p>
        {describeDraft(environment, approvals)} {maySkip && orWithoutApproval}
      </p>
      {mayOverride && <Emergency onOverride={onOverride} />}
    </Confirm>
  );
}
