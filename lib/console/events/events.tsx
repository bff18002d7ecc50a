import './events.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ConsoleEvents, ListedEvent } from '../../screens/events-schema.ts';
import { here } from '../browser/router.ts';
import { eventsOfPage } from '../calls/events.ts';
import { reload, useRead } from '../data/cache.ts';
import { sendRequest } from '../data/client.ts';
import { useSending } from '../data/use-sending.ts';
import { saveFile } from '../move/save-file.ts';
import { Button } from '../parts/button.tsx';
import { EventDetails } from '../parts/event-details.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Heading } from '../parts/heading.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { countOf } from '../words/numbers.ts';
import { describeDay } from '../words/times.ts';
import { clearFilters, EventFilters } from './event-filters.tsx';
import { filterNames, toEventSearch } from './event-query.ts';
import { groupEvents } from './group-events.ts';
import { writeEventsAsCsv } from './write-csv.ts';

/** The most events that the API returns at once, and that an export has. */
const limitMax = 1_000;

/** The most further events of a change that are shown without a click. */
const expandedMax = 3;

/** The events by day, the latest first. Events of one change form a group. */
export function EventsPage(): JSX.Element {
  const query = new URLSearchParams(here.value.split('?')[1]);
  const [limit, setLimit] = useState(eventsOfPage);
  const path = toEventSearch(query, limit);
  const { value: found, problem } = useRead(path);
  const events = found?.events ?? [];
  const { count, end } = useMoreRows(events.length);
  const days = [...Map.groupBy(events.slice(0, count), ({ createdAt }) => describeDay(createdAt))];
  const isFiltered = filterNames.some((name) => query.has(name));
  return (
    <main class="page events">
      <div class="page-head">
        <Heading title="Events" />
        <Export query={query} />
      </div>
      <EventFilters query={query} people={found?.people ?? []} environments={found?.environments ?? []} />
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {found === undefined && problem === undefined && <Skeleton rows={10} />}
      {found !== undefined && events.length === 0 && (
        <div class="card">
          <Empty
            icon="rotate-ccw-clock"
            title={isFiltered ? 'No event matches' : 'Nothing has happened yet'}
            action={isFiltered && <Button onClick={clearFilters}>Clear the filters</Button>}
          >
            {isFiltered ? 'Try fewer filters.' : 'Every change is listed here.'}
          </Empty>
        </div>
      )}
      {days.map(([day, ofDay]) => (
        <Day key={day} day={day} events={ofDay} />
      ))}
      <div ref={end} />
      {found?.hasMore && count >= events.length && (
        <div class="events-more">
          {/* Large events fill an answer before the limit does. */}
          {limit < limitMax && events.length >= limit ? (
            <Button onClick={() => setLimit(Math.min(limitMax, limit + eventsOfPage))}>Show more</Button>
          ) : (
            <p class="muted">
              These are the latest {events.length.toLocaleString('en')}. Choose an earlier “To” for more.
            </p>
          )}
        </div>
      )}
    </main>
  );
}

function Day({ day, events }: { readonly day: string; readonly events: readonly ListedEvent[] }): JSX.Element {
  const groups = useMemo(() => groupEvents(events), [events]);
  const othersOf = new Map(groups.map(({ first, others }) => [first.id, others]));
  return (
    <section aria-label={day}>
      <h2 class="events-day">{day}</h2>
      <div class="card">
        <Timeline
          events={groups.map(({ first }) => first)}
          namesFlags
          more={(event) => <More event={event as ListedEvent} others={othersOf.get(event.id) ?? []} />}
        />
      </div>
    </section>
  );
}

interface MoreProps {
  readonly event: ListedEvent;
  /** The further events of the same change. */
  readonly others: readonly ListedEvent[];
}

function More({ event, others }: MoreProps): JSX.Element {
  // The first event of the change already leads to its change request.
  const events = others.map(({ changeRequest: _, ...other }) => other);
  const list = (
    <Timeline events={events} namesFlags more={({ preData, data }) => <EventDetails before={preData} after={data} />} />
  );
  return (
    <>
      <EventDetails before={event.preData} after={event.data} />
      {others.length > 0 && others.length <= expandedMax && list}
      {others.length > expandedMax && (
        <details class="event-details">
          <summary>{countOf(others.length, 'more event', 'more events')} of the same change</summary>
          {list}
        </details>
      )}
    </>
  );
}

const exportTitle = `The latest ${limitMax.toLocaleString('en')} that match`;

/** The buttons that save the latest events that match the filters as a file. */
function Export({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const { isBusy, problems, send } = useSending();
  const save = (kind: 'json' | 'csv') =>
    send(async () => {
      const { body } = await sendRequest<ConsoleEvents>('GET', toEventSearch(query, limitMax));
      const day = new Date().toISOString().slice(0, 10);
      if (kind === 'json') saveFile(`events-${day}.json`, JSON.stringify(body.events, null, 2));
      else saveFile(`events-${day}.csv`, writeEventsAsCsv(body.events), 'text/csv');
    });
  return (
    <div class="page-actions">
      <FormProblems problems={problems} />
      <Button kind="quiet" isBusy={isBusy} title={exportTitle} onClick={() => save('csv')}>
        Export CSV
      </Button>
      <Button kind="quiet" isBusy={isBusy} title={exportTitle} onClick={() => save('json')}>
        Export JSON
      </Button>
    </div>
  );
}
