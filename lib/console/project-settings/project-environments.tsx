import '../parts/forms/form.css';
import './settings.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EnvironmentOfProject } from '../../environments/environment-schema.ts';
import { getProjectEnvironments } from '../calls/environments.ts';
import {
  addEnvironmentToProject,
  getProjectChangeRequestConfig,
  getProjectOverview,
  removeEnvironmentFromProject,
} from '../calls/projects.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { describeDefaultStrategy } from './default-strategy.ts';
import { DefaultStrategyForm } from './default-strategy-form.tsx';

/** The environments of a project, each with its default strategy, and those that it could have. */
export function ProjectEnvironments({ project }: { readonly project: string }): JSX.Element {
  const path = getProjectEnvironments({ projectId: project });
  const { value, problem } = useRead(path, 60_000);
  const all = value?.environments ?? [];
  const others = all.filter(({ visible }) => !visible);
  return (
    <>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={4} />}
      {value !== undefined && (
        <section class="section" aria-label="Environments of the project">
          <ul class="card settings-rows">
            {all
              .filter(({ visible }) => visible)
              .map((environment) => (
                <Row key={environment.name} project={project} environment={environment} />
              ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section class="section" aria-labelledby="others">
          <h2 id="others">Not in the project</h2>
          <ul class="card settings-rows">
            {others.map(({ name, type }) => (
              <OtherRow key={name} project={project} name={name} type={type} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const reloadEnvironments = (project: string) =>
  Promise.all([
    reload(getProjectEnvironments({ projectId: project })),
    reload(getProjectChangeRequestConfig({ projectId: project })),
    reload(getProjectOverview({ projectId: project })),
  ]);

interface RowProps {
  readonly project: string;
  readonly environment: EnvironmentOfProject;
}

function Row({ project, environment }: RowProps): JSX.Element {
  const { value: start } = useStart();
  const { value: rules } = useRead(getProjectChangeRequestConfig({ projectId: project }), 60_000);
  const [step, setStep] = useState<'edit' | 'remove'>();
  const { name, type, defaultStrategy, projectEnabledToggleCount: on } = environment;
  const isProtected = rules?.some((each) => each.environment === name && each.changeRequestEnabled) ?? false;
  const mayUpdate = mayIn(start, 'UPDATE_PROJECT', project);
  const protection = isProtected && !mayIn(start, 'SKIP_CHANGE_REQUEST', project, name);
  const reasonFor = (isAllowed: boolean) => {
    if (protection) return 'Changes there need approval';
    return isAllowed ? undefined : 'You may not edit the environments';
  };
  return (
    <li>
      <div class="settings-row">
        <div class="grow">
          <h2>
            {name} {type !== name && <span class="muted">{type}</span>}{' '}
            {isProtected && <Icon name="shield" label="Protected" />}
          </h2>
          <p>
            {describeDefaultStrategy(defaultStrategy)}. {countOf(on, 'flag')} {on === 1 ? 'is' : 'are'} on here.
          </p>
        </div>
        <Button
          icon="pencil"
          aria-label={`Edit the default strategy in ${name}`}
          reason={reasonFor(mayUpdate || mayIn(start, 'PROJECT_DEFAULT_STRATEGY_WRITE', project))}
          onClick={() => setStep('edit')}
        >
          Default strategy
        </Button>
        <Button aria-label={`Remove ${name}`} reason={reasonFor(mayUpdate)} onClick={() => setStep('remove')}>
          Remove
        </Button>
      </div>
      {step === 'edit' && (
        <DefaultStrategyForm project={project} environment={environment} onClose={() => setStep(undefined)} />
      )}
      {step === 'remove' && (
        <Confirm
          isDanger
          title={`Remove ${name} from the project?`}
          verb={`Remove ${name}`}
          act={async () => {
            await removeEnvironmentFromProject({ projectId: project, environment: name });
            showMessage(`${name} is removed`);
            await reloadEnvironments(project);
          }}
          onClose={() => setStep(undefined)}
        >
          {countOf(on, 'flag')} {on === 1 ? 'is' : 'are'} on there. SDKs with a token for {name} get no flag of this
          project any more. Strategies are kept, and come back switched off if it is added again.
        </Confirm>
      )}
    </li>
  );
}

interface OtherRowProps {
  readonly project: string;
  readonly name: string;
  readonly type: string;
}

function OtherRow({ project, name, type }: OtherRowProps): JSX.Element {
  const { value: start } = useStart();
  const { isBusy, problems, send } = useSending();
  async function add(): Promise<void> {
    const isAdded = await send(async () => {
      await addEnvironmentToProject({ projectId: project }, { body: { environment: name } });
      await reloadEnvironments(project);
    });
    if (isAdded) showMessage(`${name} is added. All flags are off there.`);
  }
  return (
    <li>
      <div class="settings-row">
        <h2 class="grow">
          {name} {type !== name && <span class="muted">{type}</span>}
        </h2>
        <Button
          icon="plus"
          aria-label={`Add ${name}`}
          isBusy={isBusy}
          reason={mayIn(start, 'UPDATE_PROJECT', project) ? undefined : 'You may not edit the environments'}
          onClick={add}
        >
          Add
        </Button>
      </div>
      <FormProblems problems={problems} />
    </li>
  );
}
