import '../parts/star.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleProjects } from '../../screens/projects-schema.ts';
import { go } from '../browser/router.ts';
import {
  addFavoriteProject,
  archiveProject,
  deleteProject,
  getConsoleProjects,
  removeFavoriteProject,
  reviveProject,
} from '../calls/projects.ts';
import { patch, reload } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { Ago, Pill, Tag } from '../parts/small.tsx';
import { Table } from '../parts/table.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, startPath, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { describeStale, ownersOf } from './describe-project.ts';

type ListedProject = ConsoleProjects['projects'][number];

const [livePath, archivedPath] = [getConsoleProjects({}), getConsoleProjects({}, { archived: 'true' })];

const reloadAll = () => Promise.all([reload(livePath), reload(archivedPath), reload(startPath)]);

interface ProjectTableProps {
  readonly projects: readonly ListedProject[];
  readonly isArchived: boolean;
}

/** Projects with their owners, their protected environments, and how many of their flags are stale. */
export function ProjectTable({ projects, isArchived }: ProjectTableProps): JSX.Element {
  const { count, end } = useMoreRows(projects.length);
  const [asked, setAsked] = useState<{ readonly project: ListedProject; readonly act: 'archive' | 'delete' }>();
  return (
    <div class="card table-card">
      <Table columns={['Project', 'Flags', 'Owners', 'Protected', isArchived ? 'Archived' : 'Last change']} acts="More">
        {projects.slice(0, count).map((project) => (
          <Row key={project.id} project={project} isArchived={isArchived} onAsk={(act) => setAsked({ project, act })} />
        ))}
      </Table>
      <div ref={end} />
      {asked?.act === 'archive' && <ArchiveDialog project={asked.project} onClose={() => setAsked(undefined)} />}
      {asked?.act === 'delete' && <DeleteDialog project={asked.project} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

interface RowProps {
  readonly project: ListedProject;
  readonly isArchived: boolean;
  readonly onAsk: (act: 'archive' | 'delete') => void;
}

function Row({ project, isArchived, onAsk }: RowProps): JSX.Element {
  const { value: start } = useStart();
  const { id, name, description, mode, featureCount, favorite, archivedAt, lastUpdatedAt } = project;
  const stale = describeStale(project);
  const href = `/projects/${encodeURIComponent(id)}`;
  const refusal = (permission: string) =>
    mayIn(start, permission, id) ? undefined : 'You may not do this in this project';
  return (
    <tr>
      <th scope="row">
        {isArchived ? name : <a href={href}>{name}</a>} {mode !== 'open' && <Tag>{modeWords[mode]}</Tag>}
        {description && <p>{description}</p>}
      </th>
      <td data-label="Flags">
        <span>
          {featureCount} {stale !== undefined && <Tag tone="warn">{stale}</Tag>}
        </span>
      </td>
      <td data-label="Owners">{ownersOf(project) || '–'}</td>
      <td data-label="Protected">
        <span>
          {project.protected.map((environment) => (
            <Pill key={environment} icon="shield">
              {environment}
            </Pill>
          ))}
          {project.protected.length === 0 && '–'}
        </span>
      </td>
      <td data-label={isArchived ? 'Archived' : 'Last change'}>
        <Ago time={archivedAt ?? lastUpdatedAt} />
      </td>
      <td class="actions">
        {isArchived ? (
          <>
            <Button icon="archive-restore" reason={refusal('UPDATE_PROJECT')} onClick={() => revive(project)}>
              Revive
            </Button>
            <Button
              kind="quiet"
              aria-label={`Delete ${name}`}
              reason={refusal('DELETE_PROJECT')}
              onClick={() => onAsk('delete')}
            >
              <Icon name="trash" />
            </Button>
          </>
        ) : (
          <div class="row-actions">
            <button
              type="button"
              class={favorite ? 'star on' : 'star'}
              aria-pressed={favorite}
              aria-label={`Star ${name}`}
              onClick={() => star(project)}
            >
              <Icon name="star" />
            </button>
            <Menu
              label={`More about ${name}`}
              items={[
                { label: 'Settings', icon: 'settings-2', onChoose: () => go(`${href}/settings`) },
                {
                  ...{ label: 'Archive', icon: 'archive', isDanger: true, onChoose: () => onAsk('archive') },
                  reason: refusal('DELETE_PROJECT'),
                },
              ]}
            />
          </div>
        )}
      </td>
    </tr>
  );
}

const modeWords = { open: 'Open', protected: 'Protected', private: 'Private' } as const;

interface DialogProps {
  readonly project: ListedProject;
  readonly onClose: () => void;
}

/** Asks before a project is archived. */
export function ArchiveDialog({
  project: { id, name, featureCount },
  onClose,
}: {
  readonly project: Pick<ListedProject, 'id' | 'name' | 'featureCount'>;
  readonly onClose: () => void;
}): JSX.Element {
  return (
    <Confirm
      isDanger
      title={`Archive the project ${name}?`}
      verb="Archive the project"
      reason={featureCount === 0 ? undefined : `Archive its ${countOf(featureCount, 'flag')} first`}
      act={async () => {
        await archiveProject({ projectId: id });
        showMessage(`${name} is archived`);
        await reloadAll();
        go('/projects#archived');
      }}
      onClose={onClose}
    >
      {featureCount === 0
        ? 'It takes no more flags until somebody revives it.'
        : `It has ${countOf(featureCount, 'flag')}. Archive them first.`}
    </Confirm>
  );
}

function DeleteDialog({ project: { id, name }, onClose }: DialogProps): JSX.Element {
  return (
    <Confirm
      isDanger
      title={`Delete the project ${name}?`}
      verb="Delete the project"
      act={async () => {
        await deleteProject({ projectId: id });
        showMessage(`${name} is deleted`);
        await reloadAll();
      }}
      onClose={onClose}
    >
      Its archived flags, its segments, its context fields and its roles are deleted with it, for good. The log stays.
    </Confirm>
  );
}

async function revive({ id, name }: ListedProject): Promise<void> {
  await attempt(async () => {
    await reviveProject({ projectId: id });
    showMessage(`${name} is live again`);
  });
  await reloadAll();
}

async function star(project: ListedProject): Promise<void> {
  const isStarred = !project.favorite;
  const takeBack = patch(livePath, (value) => ({
    projects: value.projects.map((each) => (each.id === project.id ? { ...each, favorite: isStarred } : each)),
  }));
  const act = isStarred ? addFavoriteProject : removeFavoriteProject;
  if (await attempt(() => act({ projectId: project.id }))) void reload(startPath);
  else takeBack();
}
