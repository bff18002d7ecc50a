import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getAllEnvironments } from '../calls/environments.ts';
import { createProject, getConsoleProjects } from '../calls/projects.ts';
import { reload, useRead } from '../data/cache.ts';
import { mayIn, startPath, useStart } from '../data/start.ts';
import { useSending } from '../data/use-sending.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Checks } from '../parts/forms/checks.tsx';
import { Heading } from '../parts/heading.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { type ProjectMode, ProjectModes } from '../project-settings/project-modes.tsx';
import { go } from '../shell/router.ts';
import { makeProjectId } from './describe-project.ts';

/** The page on which a project is made. */
export function NewProject(): JSX.Element {
  const { value: start } = useStart();
  const { value: list } = useRead(getAllEnvironments({}), 60_000);
  const { isBusy, problems, send } = useSending();
  const [name, setName] = useState('');
  const [typedId, setId] = useState<string>();
  const [description, setDescription] = useState('');
  const [mode, setMode] = useState<ProjectMode>('open');
  const [chosen, setEnvironments] = useState<readonly string[]>();
  const id = typedId ?? makeProjectId(name);
  const environments = list?.environments ?? [];
  const inProject = chosen ?? environments.filter(({ enabled }) => enabled).map((each) => each.name);

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const isMade = await send(async () => {
      await createProject(
        {},
        { body: { id, name: name.trim(), description: description.trim(), mode, environments: [...inProject] } },
      );
      await Promise.all([reload(startPath), reload(getConsoleProjects({}))]);
    });
    if (!isMade) return;
    showMessage(`${name.trim()} is created`);
    go(`/projects/${encodeURIComponent(id)}`);
  }

  return (
    <main class="page">
      <Crumbs places={[['Projects', '/projects']]} />
      <div class="page-head">
        <Heading title="New project" />
      </div>
      <form class="card form form-card" onSubmit={create}>
        <Field label="Name">
          <input
            class="input"
            autocomplete="off"
            maxLength={255}
            required
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Field label="Id" hint="It stands in addresses and tokens, and cannot be changed.">
          <input
            class="input mono"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={100}
            required
            value={id}
            onInput={(event) => setId(event.currentTarget.value)}
          />
        </Field>
        <Field label="Description">
          <textarea
            class="input"
            rows={2}
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        </Field>
        <ProjectModes value={mode} onChoose={setMode} />
        <Checks
          label="Environments"
          choices={environments.map((each) => [each.name, each.name] as const)}
          chosen={inProject}
          onChange={setEnvironments}
        />
        <FormProblems problems={problems} />
        <div class="form-foot">
          <ButtonLink href="/projects">Cancel</ButtonLink>
          <Button
            kind="solid"
            type="submit"
            isBusy={isBusy}
            isDisabled={name.trim() === '' || id === ''}
            reason={start === undefined || mayIn(start, 'CREATE_PROJECT') ? undefined : 'You may not create projects'}
          >
            Create the project
          </Button>
        </div>
      </form>
    </main>
  );
}
