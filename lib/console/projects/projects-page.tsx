import type { JSX } from 'preact';
import { here } from '../browser/router.ts';
import { getConsoleProjects } from '../calls/projects.ts';
import { reload, useRead } from '../data/cache.ts';
import { ActionLink } from '../parts/action-link.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { currentTab, type Tab, Tabs } from '../parts/tabs.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { NewProject } from './new-project.tsx';
import { ProjectTable } from './project-table.tsx';

const tabs: readonly Tab[] = [
  ['live', 'Live'],
  ['archived', 'Archived'],
];

/** The projects of the service; `?create=true` makes a new one. */
export function ProjectsPage(): JSX.Element {
  if (new URLSearchParams(here.value.split('?')[1]).get('create') === 'true') return <NewProject />;
  return <ProjectList isArchived={currentTab(tabs) === 'archived'} />;
}

function ProjectList({ isArchived }: { readonly isArchived: boolean }): JSX.Element {
  const path = getConsoleProjects({}, isArchived ? { archived: 'true' } : {});
  const { value, problem } = useRead(path, 30_000);
  const { value: start } = useStart();
  const mayCreate = start === undefined || mayIn(start, 'CREATE_PROJECT');
  return (
    <main class="page wide">
      <div class="page-head">
        <Heading title="Projects" />
        <ActionLink
          icon="plus"
          href="/projects?create=true"
          reason={mayCreate ? undefined : 'You may not create projects'}
        >
          New project
        </ActionLink>
      </div>
      <Tabs label="Projects" tabs={tabs} />
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={6} />}
      {value?.projects.length === 0 && (
        <div class="card">
          <Empty icon="folder" title={isArchived ? 'No project is archived' : 'There is no project that you may see'}>
            {isArchived
              ? 'A project that is done can rest here, and be revived.'
              : 'A project holds the flags of a team. Ask an Admin for access.'}
          </Empty>
        </div>
      )}
      {value !== undefined && value.projects.length > 0 && (
        <ProjectTable projects={value.projects} isArchived={isArchived} />
      )}
    </main>
  );
}
