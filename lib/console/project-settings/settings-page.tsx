import type { JSX } from 'preact';
import { getProjectOverview } from '../calls/projects.ts';
import { reload, useRead } from '../data/cache.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { Heading } from '../parts/heading.tsx';
import { Later } from '../parts/later.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { currentTab, type Tab, Tabs } from '../parts/tabs.tsx';
import { ProjectAccess } from './project-access.tsx';
import { ProjectEnvironments } from './project-environments.tsx';
import { ProjectFacts } from './project-facts.tsx';
import { ProjectRules } from './project-rules.tsx';
import { ProjectTokens } from './project-tokens.tsx';
import { RulesForFlags } from './rules-for-flags.tsx';

/** Loads the list of release templates, which has a page of its own, too. */
const loadTemplates = async () => (await import('../release-templates/templates.tsx')).ProjectTemplates;

const tabs: readonly Tab[] = [
  ['project', 'Project'],
  ['environments', 'Environments'],
  ['rules', 'Approval'],
  ['new-flags', 'New flags'],
  ['access', 'Members'],
  ['templates', 'Release templates'],
  ['tokens', 'Tokens'],
];

/** The settings of a project; each part has an address of its own. */
export function ProjectSettingsPage({ project }: { readonly project: string }): JSX.Element {
  const path = getProjectOverview({ projectId: project });
  const { value: overview, problem } = useRead(path, 60_000);
  const tab = currentTab(tabs);
  return (
    <main class="page">
      <Crumbs
        trail={[
          ['Projects', '/projects'],
          [overview?.name ?? project, `/projects/${encodeURIComponent(project)}`],
        ]}
      />
      <div class="page-head">
        <Heading title={`Settings of ${overview?.name ?? project}`} />
      </div>
      <Tabs label="Settings" tabs={tabs} />
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {overview === undefined && problem === undefined && <Skeleton rows={6} />}
      {overview !== undefined && (
        <>
          {tab === 'project' && <ProjectFacts project={project} overview={overview} />}
          {tab === 'environments' && <ProjectEnvironments project={project} />}
          {tab === 'rules' && <ProjectRules project={project} />}
          {tab === 'new-flags' && <RulesForFlags project={project} overview={overview} />}
          {tab === 'access' && <ProjectAccess project={project} />}
          {tab === 'templates' && <Later load={loadTemplates} props={{ project }} />}
          {tab === 'tokens' && <ProjectTokens project={project} />}
        </>
      )}
    </main>
  );
}
