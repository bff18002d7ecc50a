import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ProjectOverview, ProjectUpdate } from '../../projects/project-schema.ts';
import { getConsoleProjects, getProjectOverview, updateProject } from '../calls/projects.ts';
import { peek, reload } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import { Button } from '../parts/button.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { NameFields } from '../parts/forms/name-fields.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { type ProjectMode, ProjectModes } from '../projects/project-modes.tsx';
import { ArchiveDialog } from '../projects/project-table.tsx';
import { mayIn, startPath, useStart } from '../reader/start.ts';

interface ProjectFactsProps {
  readonly project: string;
  readonly overview: ProjectOverview;
}

/** The facts of a project while they are edited. */
interface Facts {
  readonly name: string;
  readonly description: string;
  readonly mode: ProjectMode;
  /** The most live flags, as it is typed; empty for no limit. */
  readonly limit: string;
}

function toFacts({ name, description = '', mode, featureLimit }: ProjectOverview): Facts {
  return { name, description, mode, limit: featureLimit === null ? '' : String(featureLimit) };
}

function toUpdate({ name, description, mode, limit }: Facts): ProjectUpdate {
  return {
    ...{ name: name.trim(), description: description.trim(), mode },
    featureLimit: limit === '' ? null : Number(limit),
  };
}

/** The name of a project, its description, who sees it, and its archive. */
export function ProjectFacts({ project, overview }: ProjectFactsProps): JSX.Element {
  const { value: start } = useStart();
  const path = getProjectOverview({ projectId: project });
  const { draft, set, isBusy, problems, save, notice, conflict } = useEdits({
    key: `draft project ${project}`,
    original: { value: toFacts(overview), etag: peek(path).etag },
    send: (facts, { etag }) => updateProject({ projectId: project }, { body: toUpdate(facts), ifMatch: etag }),
    load: () => loadVersioned(path, toFacts),
    onSaved: () => {
      void Promise.all([reload(startPath), reload(getConsoleProjects({}))]);
      showMessage('The project is saved');
    },
  });
  const [isArchiving, setArchiving] = useState(false);
  const reason = mayIn(start, 'UPDATE_PROJECT', project) ? undefined : 'You may not edit this project';
  const live = start?.projects.find(({ id }) => id === project)?.features ?? 0;

  return (
    <>
      <form class="card form form-card section" onSubmit={save}>
        {notice}
        <NameFields value={draft} nameMax={255} onChange={set} />
        <ProjectModes value={draft.mode} onChoose={(mode) => set({ mode })} />
        <TextField
          label="Limit of live flags"
          hint="Empty for no limit."
          type="number"
          min={0}
          max={100_000}
          value={draft.limit}
          onInput={(limit) => set({ limit })}
        />
        <FormFoot verb="Save" problems={problems} isBusy={isBusy} reason={reason} />
        {conflict}
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
