import './plan.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getProjectReleaseTemplates } from '../calls/release-templates.ts';
import { getReleasePlanTemplate } from '../calls/template-content.ts';
import { ChangeDialog } from '../change/flag-change.tsx';
import { useRead } from '../data/cache.ts';
import { SelectField } from '../parts/forms/select-field.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { describeLength, describeReach, progressOf } from '../words/plans.ts';
import { TemplateBar } from './plan-bar.tsx';
import { buildPlanAddition, type EnvironmentOfFlag, nameAddition } from './plan-changes.ts';
import { Reach } from './reach.tsx';

interface UsePlanProps extends EnvironmentOfFlag {
  readonly onClose: () => void;
}

/** Chooses the template of a new plan, and shows its milestones before. */
export function UsePlan({ flag, environment, onClose }: UsePlanProps): JSX.Element {
  const { project } = flag.feature;
  const [old] = environment.releasePlans;
  const [chosen, setChosen] = useState<string>();
  const { value: all } = useRead(getProjectReleaseTemplates({ projectId: project }, { include: 'root' }), 60_000);
  // A flag cannot get a second plan from the same template.
  const templates = all?.filter(({ id }) => id !== old?.releasePlanTemplateId);
  const templateId = chosen ?? templates?.[0]?.id;
  const { value: template } = useRead(templateId === undefined ? undefined : getReleasePlanTemplate({ templateId }));
  const { active, index } = old === undefined ? { active: undefined, index: -1 } : progressOf(old);
  const isEmpty = template?.milestones.length === 0;
  const change = template === undefined || isEmpty ? undefined : buildPlanAddition({ flag, environment }, template);
  return (
    <ChangeDialog kind="wide" flag={flag} {...nameAddition({ flag, environment })} change={change} onClose={onClose}>
      {old !== undefined && (
        <p>
          “{old.name}” is removed
          {active !== undefined && `, which is at “${active.name}”, ${index + 1} of ${old.milestones.length}`}.
        </p>
      )}
      {templates?.length === 0 && (
        <Empty icon="rocket" title={old === undefined ? 'There is no template' : 'There is no other template'}>
          A release template says in which steps a flag reaches users.
        </Empty>
      )}
      {templates !== undefined && templates.length > 0 && (
        <SelectField
          label="Template"
          value={templateId}
          options={templates.map(({ id, name: title }) => [id, title] as const)}
          onChoose={setChosen}
        />
      )}
      {templateId !== undefined && template === undefined && <Skeleton rows={4} />}
      {isEmpty && <p>This template has no milestones. Add them to the template first, or choose another one.</p>}
      {template !== undefined && !isEmpty && (
        <div class="plan-preview">
          {template.description !== '' && <p>{template.description}</p>}
          <TemplateBar milestones={template.milestones} />
          <ol>
            {template.milestones.map((milestone, position) => (
              <li key={milestone.id}>
                <b>{milestone.name}</b>{' '}
                <span>{describeReach(milestone) ?? `${milestone.strategies.length} strategies`}</span>
                {position < template.milestones.length - 1 && <span class="muted">{describeLength(milestone)}</span>}
              </li>
            ))}
          </ol>
        </div>
      )}
      {change?.reach !== undefined && <Reach flag={flag} {...change.reach} />}
    </ChangeDialog>
  );
}
