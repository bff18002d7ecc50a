import '../parts/chip.css';
import '../parts/filters.css';
import './flags.css';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ConsoleFlags, ListedFlag } from '../../screens/flags-schema.ts';
import type { ConsoleStart } from '../../screens/start-schema.ts';
import { addFavoriteFeature, getConsoleFlags, removeFavoriteFeature } from '../calls/flags.ts';
import { patch, reload, useRead } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { mayIn, useStart } from '../data/start.ts';
import { NewFlagPage } from '../new-flag/new-flag.tsx';
import { Button } from '../parts/button.tsx';
import { SearchField } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { Tag } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { showProblem } from '../parts/toasts.tsx';
import { go, here, setQuery } from '../shell/router.ts';
import { typeIcons, typeNames } from '../words/flags.ts';
import { countOf, percent, shortCount } from '../words/numbers.ts';
import { describeAge } from '../words/times.ts';
import { type FlagFilters, filterFlags, isShown, type Show, shows } from './filter-flags.ts';

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
  const name = start?.projects.find(({ id }) => id === project)?.name;
  return (
    <main class="page wide">
      <div class="page-head">
        <Heading title={project === undefined ? 'Flags' : (name ?? project)} />
        <div class="page-actions">
          <Button
            icon="plus"
            reason={reasonAgainstCreation(start, project)}
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
          <FlagTable list={list} flags={flags} path={path} project={project} />
        </>
      )}
    </main>
  );
}

function reasonAgainstCreation(start: ConsoleStart | undefined, project: string | undefined): string | undefined {
  if (start === undefined) return undefined;
  const places = project === undefined ? start.projects.map(({ id }) => id) : [project];
  return places.some((id) => mayIn(start, 'CREATE_FEATURE', id)) ? undefined : 'Needs the permission to create flags.';
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
      <div class="chips">
        {shows.map(([show, label]) => {
          const count = list.flags.filter((flag) => isShown(flag, show, reader)).length;
          const isPressed = filters.show === show;
          if (count === 0 && !isPressed) return null;
          return (
            <button
              key={show}
              type="button"
              class="chip"
              aria-pressed={isPressed}
              onClick={() => setQuery({ show: isPressed ? undefined : show })}
            >
              {label} <span>{count}</span>
            </button>
          );
        })}
      </div>
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

interface TableProps {
  readonly list: ConsoleFlags;
  readonly flags: readonly ListedFlag[];
  readonly path: ReturnType<typeof getConsoleFlags>;
  readonly project: string | undefined;
}

function FlagTable({ list, flags, path, project: only }: TableProps): JSX.Element {
  const { value: start } = useStart();
  const { count, end } = useMoreRows(flags.length);
  if (flags.length === 0) {
    return (
      <div class="card">
        {list.flags.length === 0 ? (
          <Empty
            icon="flag"
            title="There is no flag yet"
            action={
              <Button
                icon="plus"
                reason={reasonAgainstCreation(start, only)}
                onClick={() => setQuery({ create: 'true' })}
              >
                New flag
              </Button>
            }
          >
            A flag switches a part of an application on for some users, without a deployment.
          </Empty>
        ) : (
          <Empty
            icon="search"
            title="No flag matches"
            action={
              <Button onClick={() => setQuery({ q: undefined, show: undefined, type: undefined, tag: undefined })}>
                Clear the filters
              </Button>
            }
          >
            Try another word, or fewer filters.
          </Empty>
        )}
      </div>
    );
  }
  const groups = [...Map.groupBy(flags.slice(0, count), ({ project }) => project)];
  const nameOf = (project: string) => start?.projects.find(({ id }) => id === project)?.name ?? project;
  return (
    <div class="card flags-card">
      <table class="flags">
        <thead>
          <tr>
            <th class="flags-star">
              <span class="hidden">Star</span>
            </th>
            <th>Flag</th>
            {list.environments.map(({ name, type }) => (
              <th key={name} class={type === 'production' ? 'flags-env production' : 'flags-env'}>
                {name}
              </th>
            ))}
            <th class="flags-owner">Owner</th>
          </tr>
        </thead>
        {groups.map(([project, rows]) => (
          <tbody key={project}>
            {only === undefined && (
              <tr class="flags-group">
                <th colSpan={list.environments.length + 3} scope="rowgroup">
                  <a href={`/projects/${project}`}>{nameOf(project)}</a>
                </th>
              </tr>
            )}
            {rows.map((flag) => (
              <Row key={flag.name} flag={flag} list={list} path={path} />
            ))}
          </tbody>
        ))}
      </table>
      <div ref={end} />
    </div>
  );
}

interface RowProps {
  readonly flag: ListedFlag;
  readonly list: ConsoleFlags;
  readonly path: ReturnType<typeof getConsoleFlags>;
}

function Row({ flag, list, path }: RowProps): JSX.Element {
  const { name, project, type, description, tags, stale, favorite, owner } = flag;
  const pending = flag.environments.flatMap(({ requests = [] }) => requests);
  return (
    <tr>
      <td class="flags-star">
        <button
          type="button"
          class={favorite ? 'star on' : 'star'}
          aria-pressed={favorite}
          aria-label={`Star ${name}`}
          onClick={() => star(flag, path)}
        >
          <Icon name="star" />
        </button>
      </td>
      <td class="flags-name">
        <a class="mono" href={`/projects/${project}/features/${name}`}>
          <Icon name={typeIcons[type] ?? 'flag'} label={typeNames[type] ?? type} />
          {name}
        </a>
        {stale && <Tag tone="warn">Stale</Tag>}
        {tags.slice(0, 2).map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
        {pending[0] !== undefined && (
          <a class="flags-pending" href={`/projects/${project}/change-requests/${pending[0]}`}>
            <Icon name="git-pull-request" size={13} />
            Change pending
          </a>
        )}
        {description !== null && <p>{description}</p>}
      </td>
      {list.environments.map(({ name: environment, type: environmentType }) => (
        <td key={environment} class={environmentType === 'production' ? 'flags-env production' : 'flags-env'}>
          <State state={flag.environments.find((each) => each.name === environment)} />
        </td>
      ))}
      <td class="flags-owner">{owner.name}</td>
    </tr>
  );
}

function State({ state }: { readonly state: ListedFlag['environments'][number] | undefined }): JSX.Element {
  if (state === undefined) return <span class="muted">–</span>;
  const { enabled, yes = 0, no = 0, lastSeenAt } = state;
  const use =
    yes + no > 0
      ? `${percent(yes, yes + no)} of ${shortCount(yes + no)}`
      : lastSeenAt === null
        ? ''
        : `asked ${describeAge(lastSeenAt)}`;
  return (
    <span class={enabled ? 'state on' : 'state'}>
      <i aria-hidden="true" />
      {enabled ? 'On' : 'Off'}
      {use !== '' && <small>{use}</small>}
    </span>
  );
}

async function star(flag: ListedFlag, path: ReturnType<typeof getConsoleFlags>): Promise<void> {
  const isStarred = !flag.favorite;
  const takeBack = patch(path, (value) => ({
    ...value,
    flags: value.flags.map((each) => (each === flag ? { ...each, favorite: isStarred } : each)),
  }));
  const values = { projectId: flag.project, featureName: flag.name };
  try {
    await (isStarred ? addFavoriteFeature(values) : removeFavoriteFeature(values));
  } catch (error) {
    takeBack();
    showProblem((error as Refusal).message);
  }
}
