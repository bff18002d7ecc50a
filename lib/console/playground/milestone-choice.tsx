import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getConsoleFlags } from '../calls/flags.ts';
import { getReleasePlans } from '../calls/playground.ts';
import { useRead } from '../data/cache.ts';
import { Chips } from '../parts/forms/chips.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import type { Question, TriedMilestone } from './question.ts';

interface MilestoneChoiceProps {
  /** The environments of the question. */
  readonly environments: readonly string[];
  readonly chosen: Question['milestones'];
  readonly onChange: (chosen: Question['milestones']) => void;
}

/** A release plan, by its flag and environment. */
interface PlanPlace extends Omit<TriedMilestone, 'milestoneId'> {
  readonly project: string;
}

const idOf = ({ featureName, environment }: Omit<TriedMilestone, 'milestoneId'>) => `${featureName}/${environment}`;

/** Asks at which milestones of their release plans flags are evaluated; nothing where no flag has a plan. */
export function MilestoneChoice({ environments, chosen, onChange }: MilestoneChoiceProps): JSX.Element | null {
  const { value } = useRead(getConsoleFlags({}), 60_000);
  const [opened, setOpened] = useState<readonly string[]>([]);
  const plans = (value?.flags ?? []).flatMap(({ name, project, environments: states }): PlanPlace[] =>
    states
      .filter((state) => state.totalMilestones !== undefined && environments.includes(state.name))
      .map((state) => ({ featureName: name, project, environment: state.name })),
  );
  if (plans.length === 0) return null;
  const shown = plans.filter((plan) => opened.includes(idOf(plan)) || chosen.some((each) => idOf(each) === idOf(plan)));
  const others = plans.filter((plan) => !shown.includes(plan));
  return (
    <>
      {shown.map((plan) => (
        <PlanMilestones
          key={idOf(plan)}
          plan={plan}
          chosen={chosen.find((each) => idOf(each) === idOf(plan))?.milestoneId}
          onChoose={(milestoneId) => {
            const { featureName, environment } = plan;
            const rest = chosen.filter((each) => idOf(each) !== idOf(plan));
            onChange(milestoneId === undefined ? rest : [...rest, { featureName, environment, milestoneId }]);
          }}
        />
      ))}
      {others.length > 0 && (
        <SelectField
          label="Try a milestone of a release plan"
          value=""
          options={[
            ['', 'As they are now'],
            ...others.map((plan) => [idOf(plan), `${plan.featureName} in ${plan.environment}`] as const),
          ]}
          onChoose={(id) => setOpened([...opened, id])}
        />
      )}
    </>
  );
}

interface PlanMilestonesProps {
  readonly plan: PlanPlace;
  readonly chosen: string | undefined;
  readonly onChoose: (milestoneId: string | undefined) => void;
}

function PlanMilestones({
  plan: { project, featureName, environment },
  chosen,
  onChoose,
}: PlanMilestonesProps): JSX.Element {
  const { value } = useRead(getReleasePlans({ projectId: project, featureName, environment }), 60_000);
  const { milestones = [], activeMilestoneId } = value?.[0] ?? {};
  const shown = chosen ?? activeMilestoneId ?? undefined;
  return (
    <Chips
      label={`Milestone of ${featureName} in ${environment}`}
      options={milestones.map(({ id, name }) => [id, id === activeMilestoneId ? `${name} (now)` : name] as const)}
      chosen={shown === undefined ? [] : [shown]}
      // The active milestone is how the flag is now.
      onPress={(id) => onChoose(id === chosen || id === activeMilestoneId ? undefined : id)}
    />
  );
}
