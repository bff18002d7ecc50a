import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ProjectOverview } from '../../projects/project-schema.ts';
import { getConsoleProjects, getProjectOverview, updateProject } from '../calls/projects.ts';
import { peek, reload } from '../data/cache.ts';
import { mayIn, startPath, useStart } from '../data/start.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { ArchiveDialog } from '../projects/project-table.tsx';
import { ProjectModes } from './project-modes.tsx';

interface ProjectFactsProps {
  readonly project: string;
  readonly overview: ProjectOverview;
}

/** The name of a project, its description, who sees it, and its archive. */
export function ProjectFacts({ project, overview }: ProjectFactsProps): JSX.Element {
  const { value: start } = useStart();
  const path = getProjectOverview({ projectId: project });
  const [version, setVersion] = useState(() => peek(path).etag);
  const { isBusy, problems, send } = useSending();
  const [name, setName] = useState(overview.name);
  const [description, setDescription] = useState(overview.description ?? '');
  const [mode, setMode] = useState(overview.mode);
  const [limit, setLimit] = useState(overview.featureLimit === null ? '' : String(overview.featureLimit));
  const [isArchiving, setArchiving] = useState(false);
  const reason = mayIn(start, 'UPDATE_PROJECT', project) ? undefined : 'You may not edit this project';
  const live = start?.projects.find(({ id }) => id === project)?.features ?? 0;

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const isSaved = await send(async () => {
      const body = {
        ...{ name: name.trim(), description: description.trim(), mode },
        featureLimit: limit === '' ? null : Number(limit),
      };
      await updateProject({ projectId: project }, { body, ifMatch: version });
      await Promise.all([reload(path), reload(startPath), reload(getConsoleProjects({}))]);
    });
    if (!isSaved) return;
    setVersion(peek(path).etag);
    showMessage('The project is saved');
  }

  return (
    <>
      <form class="form section" onSubmit={save}>
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
        <Field label="Description">
          <textarea
            class="input"
            rows={3}
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        </Field>
        <ProjectModes value={mode} onChoose={setMode} />
        <Field label="The most live flags" hint="Empty for no limit.">
          <input
            class="input"
            type="number"
            min={0}
            max={100_000}
            value={limit}
            onInput={(event) => setLimit(event.currentTarget.value)}
          />
        </Field>
        <FormProblems problems={problems} />
        <div class="form-foot">
          <Button kind="solid" type="submit" isBusy={isBusy} reason={reason}>
            Save
          </Button>
        </div>
      </form>
      <section class="section" aria-labelledby="archive">
        <h2 id="archive">Archive</h2>
        <p class="section-note">
          A project without live flags can be archived. It can be revived from the list of projects.
        </p>
        <div class="form-foot">
          <Button
            icon="archive"
            reason={mayIn(start, 'DELETE_PROJECT', project) ? undefined : 'You may not archive this project'}
            onClick={() => setArchiving(true)}
          >
            Archive the project
          </Button>
        </div>
      </section>
      {isArchiving && (
        <ArchiveDialog
          project={{ id: project, name: overview.name, featureCount: live }}
          onClose={() => setArchiving(false)}
        />
      )}
    </>
  );
}
