import '../parts/forms/form.css';
import './settings.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type EnvironmentRules, getProjectChangeRequestConfig } from '../calls/projects.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Banner, Problem, Skeleton } from '../parts/states.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { describeRules, toRulesDraft } from './describe-rules.ts';
import { RulesForm } from './rules-form.tsx';

/** The approval that changes need in each environment of a project. */
export function ProjectRules({ project }: { readonly project: string }): JSX.Element {
  const path = getProjectChangeRequestConfig({ projectId: project });
  const { value, problem } = useRead(path, 60_000);
  return (
    <section class="section" aria-label="Approval">
      <p class="section-note">
        Where approval is needed, a change of what users get waits until others have looked at it. Admins may approve,
        and <a href="#access">members of the project</a> to whom you give the role Approver.
      </p>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={3} />}
      {value !== undefined && (
        <ul class="card settings-rows">
          {value.map((rules) => (
            <Row key={rules.environment} project={project} rules={rules} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ project, rules }: { readonly project: string; readonly rules: EnvironmentRules }): JSX.Element {
  const { value: start } = useStart();
  const [isEditing, setEditing] = useState(false);
  const [warning, setWarning] = useState<string>();
  const { environment, changeRequestEnabled } = rules;
  const mayEdit = ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'].some((each) => mayIn(start, each, project));
  return (
    <li>
      <div class="settings-row">
        <div class="grow">
          <h2>
            {environment} {changeRequestEnabled && <Icon name="shield" label="Protected" />}
          </h2>
          {!isEditing && <p>{describeRules(toRulesDraft(rules))}</p>}
        </div>
        {!isEditing && (
          <Button
            icon="pencil"
            aria-label={`Edit the rules of ${environment}`}
            reason={mayEdit ? undefined : 'You may not edit these rules'}
            onClick={() => setEditing(true)}
          >
            Edit
          </Button>
        )}
      </div>
      {warning !== undefined && (
        <div role="status">
          <Banner
            tone="warn"
            icon="triangle-alert"
            title="Saved, but too few people may approve"
            action={<ButtonLink href="#access">Members</ButtonLink>}
          >
            {warning}
          </Banner>
        </div>
      )}
      {isEditing && (
        <RulesForm
          project={project}
          rules={rules}
          onSaved={(warned) => {
            setWarning(warned);
            setEditing(false);
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </li>
  );
}
