import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleFlags } from '../../screens/flags-schema.ts';
import { getProjectOverview } from '../calls/projects.ts';
import { loadAddress, peek } from '../data/cache.ts';
import { useStart } from '../data/start.ts';
import { Confirm } from '../parts/confirm.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { go } from '../shell/router.ts';
import { addToDraft, afterApproval } from '../words/change-requests.ts';
import { countOf } from '../words/numbers.ts';
import { type ProjectFlags, planBulkSwitch, reasonAgainstBulk, switchFlags } from './bulk-changes.ts';

interface BulkSwitchProps {
  readonly groups: readonly ProjectFlags[];
  readonly environments: ConsoleFlags['environments'];
  readonly onDone: (message: string) => Promise<void>;
  readonly onClose: () => void;
}

const countFlags = (groups: readonly ProjectFlags[]) =>
  countOf(
    groups.reduce((sum, { features }) => sum + features.length, 0),
    'flag',
  );

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

  async function carryOut(): Promise<void> {
    const asked = await switchFlags(plan, environment, isOn);
    const switched = isAsking ? '' : `Switched ${countFlags(plan.direct)} ${word} in ${environment}`;
    const waiting =
      plan.approval.length === 0
        ? ''
        : `${countFlags(plan.approval)} in ${countOf(asked.length, 'draft')}. Send ${asked.length === 1 ? 'it' : 'them'} for review in Reviews`;
    await onDone([switched, waiting].filter(Boolean).join('. '));
    const [first] = asked;
    if (isAsking && first !== undefined) go(`/projects/${first.project}/change-requests/${first.id}`);
  }

  return (
    <Confirm
      title={`Switch ${countFlags(groups)}`}
      verb={isAsking ? addToDraft : `Switch ${word} now`}
      isDanger={!isOn && !isAsking}
      isDisabled={!isReady}
      reason={reason}
      act={carryOut}
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
          `${countFlags(plan.approval)} of ${plan.approval.map(({ project }) => project).join(', ')} need approval there, and go into your draft, which you then send for review. ${afterApproval}`}
      </p>
    </Confirm>
  );
}

/** Reads which environments of some projects need approval; undefined until it is known. */
function useProtection(
  groups: readonly ProjectFlags[],
): ((project: string, environment: string) => boolean) | undefined {
  const [isRead, setRead] = useState(false);
  const pathOf = (project: string) => getProjectOverview({ projectId: project });
  useEffect(() => {
    let isCurrent = true;
    Promise.all(groups.map(({ project }) => loadAddress(pathOf(project)))).then(() => isCurrent && setRead(true));
    return () => {
      isCurrent = false;
    };
  }, []);
  if (!isRead) return undefined;
  return (project, environment) =>
    peek(pathOf(project)).value?.environments.some(
      (each) => each.environment === environment && each.changeRequestsEnabled,
    ) ?? false;
}
