import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlags } from '../../screens/flags-schema.ts';
import { useStart } from '../data/start.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { go } from '../shell/router.ts';
import { addToDraft, afterApproval, orWithoutApproval } from '../words/change-requests.ts';
import {
  countFlags,
  describeDrafts,
  mayAllSkip,
  type ProjectFlags,
  planBulkSwitch,
  reasonAgainstBulk,
  switchFlags,
} from './bulk-changes.ts';
import { useProtection } from './use-protection.ts';

interface BulkSwitchProps {
  readonly groups: readonly ProjectFlags[];
  readonly environments: ConsoleFlags['environments'];
  readonly onDone: (message: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Switches flags in an environment; those whose project wants approval become change requests. */
export function BulkSwitchDialog({ groups, environments, onDone, onClose }: BulkSwitchProps): JSX.Element {
  const { value: start } = useStart();
  const [environment, setEnvironment] = useState(
    environments.find(({ type }) => type !== 'production')?.name ?? environments[0]?.name ?? '',
  );
  const [isOn, setOn] = useState(true);
  const isProtectedIn = useProtection(groups);
  const { isBusy, problems, send } = useSending();
  const isReady = isProtectedIn !== undefined;
  const plan = planBulkSwitch(start, groups, environment, (project) => isProtectedIn?.(project, environment) ?? false);
  const isAsking = plan.direct.length === 0;
  const word = isOn ? 'on' : 'off';
  const reason = reasonAgainstBulk(start, groups, 'UPDATE_FEATURE_ENVIRONMENT', `switch flags`);

  const maySkip = mayAllSkip(
    start,
    plan.approval.map(({ project }) => ({ project, environment })),
  );

  async function confirm({ direct, approval }: typeof plan): Promise<void> {
    let asked: Awaited<ReturnType<typeof switchFlags>> = [];
    const isDone = await send(async () => {
      asked = await switchFlags({ direct, approval }, environment, isOn);
    });
    if (!isDone) return;
    onClose();
    const switched = direct.length === 0 ? '' : `Switched ${countFlags(direct)} ${word} in ${environment}`;
    await onDone([switched, describeDrafts(approval, asked.length)].filter(Boolean).join('. '));
    const [first] = asked;
    if (direct.length === 0 && first !== undefined) go(`/projects/${first.project}/change-requests/${first.id}`);
  }

  return (
    <Dialog
      title={`Switch ${countFlags(groups)}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {maySkip && (
            <Button isBusy={isBusy} reason={reason} onClick={() => confirm({ direct: groups, approval: [] })}>
              Switch {word} without approval
            </Button>
          )}
          <Button
            kind={isOn || isAsking ? 'solid' : 'danger'}
            isBusy={isBusy}
            isDisabled={!isReady}
            reason={reason}
            onClick={() => confirm(plan)}
          >
            {isAsking ? addToDraft : `Switch ${word} now`}
          </Button>
        </>
      }
    >
      <Field label="Environment">
        <select class="input" value={environment} onChange={(event) => setEnvironment(event.currentTarget.value)}>
          {environments.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field label="To">
        <select class="input" value={word} onChange={(event) => setOn(event.currentTarget.value === 'on')}>
          <option value="on">On</option>
          <option value="off">Off</option>
        </select>
      </Field>
      <p>
        {plan.direct.length > 0 &&
          `${countFlags(plan.direct)} ${word} within seconds${isOn ? '; one without a strategy gets the default of its project' : ''}. `}
        {plan.approval.length > 0 &&
          `${countFlags(plan.approval)} of ${plan.approval.map(({ project }) => project).join(', ')} need approval there, and go into your draft, which you then send for review. ${afterApproval}`}{' '}
        {maySkip && orWithoutApproval}
      </p>
      <FormProblems problems={problems} />
    </Dialog>
  );
}
