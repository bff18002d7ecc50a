import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlags } from '../../screens/flags-schema.ts';
import { go } from '../browser/router.ts';
import { Confirm } from '../parts/confirm.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { useStart } from '../reader/start.ts';
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
  const isReady = isProtectedIn !== undefined;
  const plan = planBulkSwitch(start, groups, environment, (project) => isProtectedIn?.(project, environment) ?? false);
  const isAsking = plan.direct.length === 0;
  const word = isOn ? 'on' : 'off';
  const reason = reasonAgainstBulk(start, groups, 'UPDATE_FEATURE_ENVIRONMENT', `switch flags`);

  const maySkip = mayAllSkip(
    start,
    plan.approval.map(({ project }) => ({ project, environment })),
  );

  async function carryOut({ direct, approval }: typeof plan): Promise<void> {
    const asked = await switchFlags({ direct, approval }, environment, isOn);
    const switched = direct.length === 0 ? '' : `Switched ${countFlags(direct)} ${word} in ${environment}`;
    await onDone([switched, describeDrafts(approval, asked.length)].filter(Boolean).join('. '));
    const [first] = asked;
    if (direct.length === 0 && first !== undefined) go(`/projects/${first.project}/change-requests/${first.id}`);
  }

  return (
    <Confirm
      title={`Switch ${countFlags(groups)}`}
      verb={isAsking ? addToDraft : `Switch ${word} now`}
      isDanger={!isOn && !isAsking}
      isDisabled={!isReady}
      reason={reason}
      act={() => carryOut(plan)}
      other={
        maySkip
          ? { verb: `Switch ${word} without approval`, act: () => carryOut({ direct: groups, approval: [] }) }
          : undefined
      }
      onClose={onClose}
    >
      <SelectField
        label="Environment"
        value={environment}
        options={environments.map(({ name }) => name)}
        onChoose={setEnvironment}
      />
      <SelectField
        label="To"
        value={word}
        options={[
          ['on', 'On'],
          ['off', 'Off'],
        ]}
        onChoose={(value) => setOn(value === 'on')}
      />
      <p>
        {plan.direct.length > 0 &&
          `${countFlags(plan.direct)} ${word} within seconds${isOn ? '; one without a strategy gets the default of its project' : ''}. `}
        {plan.approval.length > 0 &&
          `${countFlags(plan.approval)} of ${plan.approval.map(({ project }) => project).join(', ')} need approval there, and go into your draft, which you then send for review. ${afterApproval}`}{' '}
        {maySkip && orWithoutApproval}
      </p>
    </Confirm>
  );
}
