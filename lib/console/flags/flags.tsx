import '../parts/filters.css';
import '../parts/star.css';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ConsoleFlags } from '../../screens/flags-schema.ts';
import type { ConsoleStart } from '../../screens/start-schema.ts';
import { go, here, setQuery } from '../browser/router.ts';
import { getConsoleFlags } from '../calls/flags.ts';
import { reload, useRead } from '../data/cache.ts';
import { NewFlagPage } from '../new-flag/new-flag.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { SearchField } from '../parts/field.tsx';
import { FilterChips } from '../parts/filter-chips.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { typeNames } from '../words/flags.ts';
import { countOf } from '../words/numbers.ts';
import { type FlagFilters, filterFlags, isShown, type Show, shows } from './filter-flags.ts';
import { FlagTable } from './flag-table.tsx';

/** The flags of all projects, or of one: what is on for whom, readable without a click. */
export function FlagsPage({ project }: { readonly project?: string }): JSX.Element {
  const isCreating = new URLSearchParams(here.value.split('?')[1]).get('create') === 'true';
  return isCreating ? <NewFlagPage project={project} /> : <FlagList project={project} />;
}

function FlagList({ project }: { readonly project: string | undefined }): JSX.Element {
  const path = getConsoleFlags({}, project === undefined ? {} : { project });
  const { value: list, problem } = useRead(path, 30_000);
  const { value: start } = useStart();
  const filters = readFilters();
  const flags = useMemo(
    () => filterFlags(list?.flags ?? [], filters, start?.user.id),
    [list, start, ...Object.values(filters)],
  );
  const reason = reasonAgainstCreation(start, project);
  const name = start?.projects.find(({ id }) => id === project)?.name;
  if (start !== undefined && project !== undefined && name === undefined) return <NoProject />;
  return (
    <main class="page wide">
      <div class="page-head">
        <Heading title={project === undefined ? 'Flags' : (name ?? project)} />
        <div class="page-actions">
          <ButtonLink
            kind="quiet"
            icon="archive"
            href={project === undefined ? '/archive' : `/archive?project=${project}`}
          >
            Archive
          </ButtonLink>
          {project !== undefined && (
            <ButtonLink kind="quiet" icon="settings-2" href={`/projects/${encodeURIComponent(project)}/settings`}>
              Project settings
            </ButtonLink>
          )}
          <Button
            kind="solid"
            icon="plus"
            reason={reason}
            onClick={() => go(`${project === undefined ? '/' : `/projects/${project}`}?create=true`)}
          >
            New flag
          </Button>
        </div>
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {list === undefined && problem === undefined && <Skeleton rows={12} />}
      {list !== undefined && (
        <>
          <Filters list={list} filters={filters} shown={flags.length} reader={start?.user.id} />
          <FlagTable list={list} flags={flags} path={path} project={project} reasonAgainstCreation={reason} />
        </>
      )}
    </main>
  );
}

function NoProject(): JSX.Element {
  return (
    <main class="page">
      <Heading title="No such project" />
      <div class="card">
        <Empty
          icon="folder"
          title="There is no such project, or you may not see it"
          action={<ButtonLink href="/projects">All projects</ButtonLink>}
        >
          An Admin or an owner of a private project can let you in.
        </Empty>
      </div>
    </main>
  );
}

function reasonAgainstCreation(start: ConsoleStart | undefined, project: string | undefined): string | undefined {
  if (start === undefined) return undefined;
  const projects = project === undefined ? start.projects.map(({ id }) => id) : [project];
  return projects.some((id) => mayIn(start, 'CREATE_FEATURE', id))
    ? undefined
    : 'Needs the permission to create flags.';
}

function readFilters(): FlagFilters {
  const query = new URLSearchParams(here.value.split('?')[1]);
  return {
    search: query.get('q') ?? '',
    show: (query.get('show') as Show | null) ?? undefined,
    type: query.get('type') ?? undefined,
    tag: query.get('tag') ?? undefined,
  };
}

interface FiltersProps {
  readonly list: ConsoleFlags;
  readonly filters: FlagFilters;
  readonly shown: number;
  readonly reader: number | undefined;
}

function Filters({ list, filters, shown, reader }: FiltersProps): JSX.Element {
  const tags = useMemo(() => [...new Set(list.flags.flatMap(({ tags: all }) => all))].toSorted(), [list]);
  const types = useMemo(() => [...new Set(list.flags.map(({ type }) => type))].toSorted(), [list]);
  return (
    <div class="filters">
      <SearchField label="Search flags" value={filters.search} onInput={(q) => setQuery({ q })} />
      <FilterChips
        choices={shows}
        chosen={filters.show}
        countOf={(show) => list.flags.filter((flag) => isShown(flag, show, reader)).length}
      />
      {types.length > 1 && (
        <Choice
          label="Type"
          value={filters.type}
          choices={types.map((type) => [type, typeNames[type] ?? type] as const)}
          onChoose={(type) => setQuery({ type })}
        />
      )}
      {tags.length > 0 && (
        <Choice
          label="Tag"
          value={filters.tag}
          choices={tags.map((tag) => [tag, tag] as const)}
          onChoose={(tag) => setQuery({ tag })}
        />
      )}
      <span class="filters-total" role="status">
        {countOf(shown, 'flag')}
      </span>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string | undefined) => void;
}

function Choice({ label, value, choices, onChoose }: ChoiceProps): JSX.Element {
  return (
    <select
      class="input choice"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    >
      <option value="">{label}</option>
      {choices.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}
