import '../parts/filters.css';
import { expireFlagLists } from '../change/expire-flag-lists.ts';
import '../parts/rows.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ListedFeature } from '../../features/feature-schema.ts';
import { here, setQuery } from '../browser/router.ts';
import { deleteFeature, getArchivedFeatures, reviveFeature } from '../calls/flags.ts';
import { reload, useRead } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { SearchField } from '../parts/field.tsx';
import { typeIcons } from '../parts/flag-icons.ts';
import { ProjectOptions } from '../parts/forms/project-options.tsx';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { Ago } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { typeNames } from '../words/flags.ts';
import { countOf } from '../words/numbers.ts';

const path = getArchivedFeatures({});

/** The archived flags, the latest first: they can be revived, or deleted for good. */
export function ArchivePage(): JSX.Element {
  const { value, problem } = useRead(path, 30_000);
  const query = new URLSearchParams(here.value.split('?')[1]);
  const [search, project] = [query.get('q') ?? '', query.get('project') ?? ''];
  const shown = useMemo(() => filterArchive(value?.features ?? [], search, project), [value, search, project]);
  const { count, end } = useMoreRows(shown.length);
  const [deleting, setDeleting] = useState<ListedFeature>();
  return (
    <main class="page">
      <div class="page-head">
        <Heading title="Archive" />
      </div>
      <div class="filters">
        <SearchField label="Search the archive" value={search} onInput={(q) => setQuery({ q })} />
        <select
          class="input choice"
          aria-label="Project"
          value={project}
          onChange={(event) => setQuery({ project: event.currentTarget.value })}
        >
          <option value="">Project</option>
          <ProjectOptions />
        </select>
        <span class="filters-total" role="status">
          {value !== undefined && countOf(shown.length, 'flag')}
        </span>
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={8} />}
      {value !== undefined && shown.length === 0 && (
        <div class="card">
          <Empty
            icon="archive"
            title={value.features.length === 0 ? 'The archive is empty' : 'No archived flag matches'}
          >
            {value.features.length === 0
              ? 'A flag that nobody needs any more is archived on its page.'
              : 'Try another word, or all projects.'}
          </Empty>
        </div>
      )}
      {shown.length > 0 && (
        <ul class="card rows">
          {shown.slice(0, count).map((flag) => (
            <Row key={flag.name} flag={flag} onDelete={() => setDeleting(flag)} />
          ))}
        </ul>
      )}
      <div ref={end} />
      {deleting !== undefined && (
        <Confirm
          title={`Delete ${deleting.name} for good?`}
          verb="Delete"
          isDanger
          act={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        >
          Its strategies, variants and links are gone then; only its events stay. The name becomes free for a new flag.
        </Confirm>
      )}
    </main>
  );
}

function filterArchive(flags: readonly ListedFeature[], search: string, project: string): readonly ListedFeature[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return flags.filter((flag) => {
    const text = `${flag.name} ${flag.description ?? ''}`.toLowerCase();
    return (project === '' || flag.project === project) && words.every((word) => text.includes(word));
  });
}

interface RowProps {
  readonly flag: ListedFeature;
  readonly onDelete: () => void;
}

function Row({ flag, onDelete }: RowProps): JSX.Element {
  const { name, project, type, description, archivedAt } = flag;
  const { value: start } = useStart();
  const reasonFor = (permission: string, act: string) =>
    start === undefined || mayIn(start, permission, project)
      ? undefined
      : `Needs the permission to ${act} flags in ${project}.`;
  return (
    <li>
      <Icon name={typeIcons[type] ?? 'flag'} label={typeNames[type] ?? type} />
      <div class="grow">
        <strong class="mono">{name}</strong>
        <p>
          {project}
          {archivedAt !== null && (
            <>
              {' · archived '}
              <Ago time={archivedAt} />
            </>
          )}
          {description !== null && ` · ${description}`}
        </p>
      </div>
      <span class="rows-acts">
        <Button
          icon="rotate-ccw"
          aria-label={`Revive ${name}`}
          reason={reasonFor('UPDATE_FEATURE', 'revive')}
          onClick={() => void revive(flag)}
        >
          Revive
        </Button>
        <Button
          kind="quiet"
          aria-label={`Delete ${name}`}
          reason={reasonFor('DELETE_FEATURE', 'delete')}
          onClick={onDelete}
        >
          <Icon name="trash" />
        </Button>
      </span>
    </li>
  );
}

async function revive({ name }: ListedFeature): Promise<void> {
  if (!(await attempt(() => reviveFeature({ featureName: name })))) return;
  showMessage(`Revived ${name}. It is off in every environment.`);
  expireFlagLists();
  await reload(path);
}

async function remove({ name }: ListedFeature): Promise<void> {
  await deleteFeature({ featureName: name });
  showMessage(`Deleted ${name}`);
  await reload(path);
}
