import '../parts/chip.css';
import '../parts/filters.css';
import './events.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { EventSearchResult } from '../../events/event-search-schema.ts';
import { getEventCreators, searchEvents } from '../calls/events.ts';
import { reload, useRead } from '../data/cache.ts';
import { useStart } from '../data/start.ts';
import { Button } from '../parts/button.tsx';
import { EventDetails } from '../parts/event-details.tsx';
import { SearchField } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { here, setQuery } from '../shell/router.ts';
import { noise } from '../words/events.ts';
import { countOf } from '../words/numbers.ts';
import { describeDay } from '../words/times.ts';

/** Events of a page. */
const pageSize = 100;

/** Filters that the address holds, as the API names them. */
const filterNames = ['project', 'feature', 'environment', 'createdBy'] as const;

/** Everything that happened, day by day, the latest first. */
export function EventsPage(): JSX.Element {
  const query = new URLSearchParams(here.value.split('?')[1]);
  const [limit, setLimit] = useState(pageSize);
  const path = searchEvents(
    {},
    {
      limit,
      query: query.get('q') ?? undefined,
      ...Object.fromEntries(filterNames.flatMap((name) => (query.has(name) ? [[name, `IS:${query.get(name)}`]] : []))),
      from: query.has('from') ? `IS:${query.get('from')}` : undefined,
      to: query.has('to') ? `IS:${query.get('to')}` : undefined,
    },
  );
  const { value: found, problem } = useRead(path);
  const { value: start } = useStart();
  const { value: creators } = useRead(getEventCreators({}), 60_000);
  const showsAll = query.get('show') === 'all';
  const events = useMemo(
    () => (found?.events ?? []).filter(({ type }) => showsAll || !noise.includes(type)),
    [found, showsAll],
  );
  const nameOf = ({ createdBy, createdByUserId }: EventSearchResult) =>
    creators?.find(({ id }) => id === createdByUserId)?.name ?? createdBy;
  const days = [...Map.groupBy(events, ({ createdAt }) => describeDay(createdAt))];
  return (
    <main class="page events">
      <div class="page-head">
        <Heading title="Events" />
      </div>
      <div class="filters">
        <SearchField label="Search events" value={query.get('q') ?? ''} onInput={(q) => setQuery({ q })} />
        <select
          class="input choice"
          aria-label="Project"
          value={query.get('project') ?? ''}
          onChange={(event) => setQuery({ project: event.currentTarget.value })}
        >
          <option value="">Project</option>
          {start?.projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          class="input choice"
          aria-label="Person"
          value={query.get('createdBy') ?? ''}
          onChange={(event) => setQuery({ createdBy: event.currentTarget.value })}
        >
          <option value="">Person</option>
          {creators?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        {query.get('feature') !== null && (
          <button type="button" class="chip" aria-pressed="true" onClick={() => setQuery({ feature: undefined })}>
            {query.get('feature')} ✕<span class="hidden">Show the events of all flags</span>
          </button>
        )}
        <button
          type="button"
          class="chip"
          aria-pressed={showsAll}
          onClick={() => setQuery({ show: showsAll ? undefined : 'all' })}
        >
          Stars and registrations
        </button>
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {found === undefined && problem === undefined && <Skeleton rows={10} />}
      {found !== undefined && events.length === 0 && (
        <div class="card">
          <Empty icon="rotate-ccw-clock" title="No event matches">
            Try fewer filters.
          </Empty>
        </div>
      )}
      {days.map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 class="events-day">{day}</h2>
          <div class="card">
            <Timeline
              events={ofDay.map((event) => ({ ...event, author: nameOf(event) }))}
              namesFlags
              more={(event) => <EventDetails before={event.preData} after={event.data} />}
            />
          </div>
        </section>
      ))}
      {found !== undefined && found.total > limit && (
        <div class="events-more">
          <Button onClick={() => setLimit(limit + pageSize)}>Show more of {countOf(found.total, 'event')}</Button>
        </div>
      )}
    </main>
  );
}
