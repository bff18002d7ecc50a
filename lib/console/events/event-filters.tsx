import '../parts/chip.css';
import '../parts/filters.css';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleEvents } from '../../screens/events-schema.ts';
import { setQuery } from '../browser/router.ts';
import { Button } from '../parts/button.tsx';
import { SearchField } from '../parts/field.tsx';
import { ProjectOptions } from '../parts/forms/project-options.tsx';
import { filterNames, kinds } from './event-query.ts';

/** The time between the last key and the search. */
const pauseMs = 300;

interface FiltersProps extends Pick<ConsoleEvents, 'people' | 'environments'> {
  readonly query: URLSearchParams;
}

/** The filters of the events page. The address of the page holds them. */
export function EventFilters({ query, people, environments }: FiltersProps): JSX.Element {
  const showsAll = query.get('show') === 'all';
  const isFiltered = filterNames.some((name) => query.has(name));
  return (
    <div class="filters">
      <TypedFilter name="q" label="Search events" query={query} isSearch />
      <Choice name="project" label="Project" query={query}>
        <ProjectOptions />
      </Choice>
      <Choice name="environment" label="Environment" query={query}>
        {environments.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Choice>
      <Choice name="createdBy" label="Person" query={query}>
        {people.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice name="kind" label="Kind" query={query}>
        {kinds.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </Choice>
      <TypedFilter name="feature" label="Flag" query={query} />
      <DayFilter name="from" label="From" query={query} />
      <DayFilter name="to" label="To" query={query} />
      <button
        type="button"
        class="chip"
        aria-pressed={showsAll}
        onClick={() => setQuery({ show: showsAll ? undefined : 'all' })}
      >
        Show stars and registrations
      </button>
      {isFiltered && (
        <Button kind="quiet" onClick={clearFilters}>
          Clear the filters
        </Button>
      )}
    </div>
  );
}

/** Removes all filters from the address. */
export function clearFilters(): void {
  setQuery(Object.fromEntries(filterNames.map((name) => [name, undefined])));
}

interface FilterProps {
  readonly name: (typeof filterNames)[number];
  readonly label: string;
  readonly query: URLSearchParams;
}

/** A filter for a typed text. It goes into the address when the reader pauses. */
function TypedFilter({ name, label, query, isSearch = false }: FilterProps & { readonly isSearch?: boolean }) {
  const given = query.get(name) ?? '';
  const [text, setText] = useState(given);
  // The address changes without typing when somebody clears the filters, or follows a link.
  useEffect(() => setText(given), [given]);
  useEffect(() => {
    if (text === given) return;
    const timer = setTimeout(() => setQuery({ [name]: text.trim() || undefined }), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  if (isSearch) return <SearchField label={label} value={text} onInput={setText} />;
  return (
    <input
      class="input choice"
      aria-label={label}
      placeholder={label}
      autocomplete="off"
      spellcheck={false}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}

function Choice({ name, label, query, children }: FilterProps & { readonly children: ComponentChildren }) {
  return (
    <select
      class="input choice"
      aria-label={label}
      value={query.get(name) ?? ''}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value || undefined })}
    >
      <option value="">{label}</option>
      {children}
    </select>
  );
}

function DayFilter({ name, label, query }: FilterProps): JSX.Element {
  return (
    <label class="event-day">
      {label}
      <input
        class="input choice"
        type="date"
        value={(query.get(name) ?? '').slice(0, 10)}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value || undefined })}
      />
    </label>
  );
}
