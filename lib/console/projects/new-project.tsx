import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { go } from '../browser/router.ts';
import { getAllEnvironments } from '../calls/environments.ts';
import { createProject, getConsoleProjects } from '../calls/projects.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { Checks } from '../parts/forms/checks.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextArea, TextField } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, startPath, useStart } from '../reader/start.ts';
import { makeProjectId } from './describe-project.ts';
import { type ProjectMode, ProjectModes } from './project-modes.tsx';

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
      <Crumbs trail={[['Projects', '/projects']]} />
      <div class="page-head">
        <Heading title="New project" />
      </div>
      <form class="card form form-card" onSubmit={create}>
        <TextField label="Name" maxLength={255} required value={name} onInput={setName} />
        <TextField
          label="Id"
          hint="It stands in addresses and tokens, and cannot be changed."
          isCode
          maxLength={100}
          required
          value={id}
          onInput={setId}
        />
        <TextArea label="Description" rows={2} value={description} onInput={setDescription} />
        <ProjectModes value={mode} onChoose={setMode} />
        <Checks
          label="Environments"
          choices={environments.map((each) => [each.name, each.name] as const)}
          chosen={inProject}
          onChange={setEnvironments}
        />
        <FormFoot
          verb="Create the project"
          problems={problems}
          isBusy={isBusy}
          isDisabled={name.trim() === '' || id === ''}
          reason={start === undefined || mayIn(start, 'CREATE_PROJECT') ? undefined : 'You may not create projects'}
          cancel="/projects"
        />
      </form>
    </main>
  );
}
