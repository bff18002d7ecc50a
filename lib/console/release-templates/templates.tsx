import '../parts/forms/form.css';
import '../parts/rows.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedReleaseTemplate } from '../../release-plans/template-schema.ts';
import { getProjectReleaseTemplates, getReleasePlanTemplates } from '../calls/release-templates.ts';
import type { ApiAddress } from '../data/address.ts';
import { reload, useRead } from '../data/cache.ts';
import { ActionLink } from '../parts/action-link.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { currentTab, type Tab, Tabs } from '../parts/tabs.tsx';
import { useStart } from '../reader/start.ts';
import { reasonAgainstTemplate } from './template-addresses.ts';
import { TemplateRows } from './template-rows.tsx';

const tabs: readonly Tab[] = [
  ['live', 'Live'],
  ['archived', 'Archived'],
];

const purpose = 'A template says once how a release goes, such as to 10%, to half, then to everybody.';

/** The release templates that all projects can use. */
export function TemplatesPage(): JSX.Element {
  const isArchived = currentTab(tabs) === 'archived';
  const path = getReleasePlanTemplates({}, isArchived ? { archived: 'true' } : {});
  const { value: start } = useStart();
  return (
    <main class="page">
      <div class="page-head">
        <div class="grow">
          <Heading title="Release templates" />
          <p class="page-about">
            The steps in which a flag reaches more and more users. Projects have templates of their own in their
            settings.
          </p>
        </div>
        <ActionLink icon="plus" href="/release-templates/create" reason={reasonAgainstTemplate(start, 'CREATE', null)}>
          New template
        </ActionLink>
      </div>
      <Tabs label="Release templates" tabs={tabs} />
      <TemplateList
        path={path}
        emptyTitle={isArchived ? 'No release template is archived' : 'There is no release template'}
      >
        {isArchived ? 'A template that nobody needs now can rest here, and be revived.' : purpose}
      </TemplateList>
    </main>
  );
}

/** The release templates that only this project can use. */
export function ProjectTemplates({ project }: { readonly project: string }): JSX.Element {
  const [isArchived, setArchived] = useState(false);
  const path = getProjectReleaseTemplates({ projectId: project }, isArchived ? { archived: 'true' } : {});
  const { value: start } = useStart();
  return (
    <section class="section" aria-label="Release templates">
      <div class="section-head">
        <p class="section-note">
          Templates for all projects can be used here, too. They are in the <a href="/release-templates">list of all</a>
          .
        </p>
        <ActionLink
          kind="plain"
          icon="plus"
          href={`/release-templates/create?project=${encodeURIComponent(project)}`}
          reason={reasonAgainstTemplate(start, 'CREATE', project)}
        >
          New template
        </ActionLink>
      </div>
      <Check label="Show archived templates" isChecked={isArchived} onCheck={setArchived} />
      <TemplateList
        path={path}
        emptyTitle={isArchived ? 'No template is archived here' : 'No template for this project alone'}
      >
        {purpose}
      </TemplateList>
    </section>
  );
}

interface TemplateListProps {
  readonly path: ApiAddress<readonly ListedReleaseTemplate[]>;
  readonly emptyTitle: string;
  /** The text below this title. */
  readonly children: string;
}

/** The templates of an address, or why none are shown. */
function TemplateList({ path, emptyTitle, children }: TemplateListProps): JSX.Element {
  const { value: templates, problem } = useRead(path, 30_000);
  return (
    <>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {templates === undefined && problem === undefined && <Skeleton rows={4} />}
      {templates?.length === 0 && (
        <div class="card">
          <Empty icon="rocket" title={emptyTitle}>
            {children}
          </Empty>
        </div>
      )}
      {templates !== undefined && templates.length > 0 && (
        <ul class="card rows">
          <TemplateRows templates={templates} onChanged={() => reload(path)} />
        </ul>
      )}
    </>
  );
}
