import './events.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { EventSearchResult } from '../../events/event-search-schema.ts';
import type { ShownEvent } from '../../screens/shown-event-schema.ts';
import { getEventCreators } from '../calls/events.ts';
import { reload, useRead } from '../data/cache.ts';
import { sendRequest } from '../data/client.ts';
import { useSending } from '../data/use-sending.ts';
import { saveFile } from '../move/save-file.ts';
import { Button } from '../parts/button.tsx';
import { EventDetails } from '../parts/event-details.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { here } from '../shell/router.ts';
import { countOf } from '../words/numbers.ts';
import { authorNameOf } from '../words/people.ts';
import { describeDay } from '../words/times.ts';
import { clearFilters, EventFilters } from './event-filters.tsx';
import { filterNames, toEventSearch } from './event-query.ts';
import { groupEvents } from './group-events.ts';
import { writeEventsAsCsv } from './write-csv.ts';

/** Events of a page. */
const pageSize = 100;

/** The most events of an answer of the API, and of an export. */
const limitMax = 1_000;

/** The most further events of a change that are not folded away. */
const unfoldedMax = 3;

const creatorsEveryMs = 60_000;

type NamedEvent = EventSearchResult & Pick<ShownEvent, 'author' | 'changeRequest'>;

/** Everything that happened, day by day, the latest first; the events of one change are folded together. */
export function EventsPage(): JSX.Element {
  const query = new URLSearchParams(here.value.split('?')[1]);
  const [limit, setLimit] = useState(pageSize);
  const path = toEventSearch(query, limit);
  const { value: found, problem } = useRead(path);
  const { value: creators } = useRead(getEventCreators({}), creatorsEveryMs);
  const events = useMemo(
    () => nameRequests((found?.events ?? []).map((event) => nameAuthor(event, creators))),
    [found, creators],
  );
  const days = [...Map.groupBy(events, ({ createdAt }) => describeDay(createdAt))];
  const isFiltered = filterNames.some((name) => query.has(name));
  return (
    <main class="page events">
      <div class="page-head">
        <Heading title="Events" />
        <Export query={query} creators={creators} />
      </div>
      <EventFilters query={query} people={creators ?? []} />
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
      {found !== undefined && found.total > events.length && (
        <div class="events-more">
          {limit < limitMax ? (
            <Button onClick={() => setLimit(Math.min(limitMax, limit + pageSize))}>
              Show more of {countOf(found.total, 'event')}
            </Button>
          ) : (
            <p class="muted">These are the latest {limitMax.toLocaleString('en')}. Choose an earlier “To” for more.</p>
          )}
        </div>
      )}
    </main>
  );
}

type Creators = readonly { readonly id: number; readonly name: string }[] | undefined;

function nameAuthor(event: EventSearchResult, creators: Creators): NamedEvent {
  const creator = creators?.find(({ id }) => id === event.createdByUserId);
  return { ...event, author: authorNameOf(creator?.name ?? event.createdBy) };
}

/** Names the change request of each event, with the reason of an override that began among these events. */
function nameRequests(events: readonly NamedEvent[]): NamedEvent[] {
  const started = events.filter(({ type }) => type === 'change-request-override-started');
  const reasons = new Map(started.map(({ groupId, data }) => [groupId, String(data?.reason)]));
  return events.map((event) => {
    const { groupId, groupType, project } = event;
    if (groupType !== 'change-request' || project === null) return event;
    const override = reasons.get(groupId);
    const id = Number(groupId.replace(/\D/g, ''));
    return {
      ...event,
      changeRequest: { id, project, approvedBy: [], ...(override !== undefined && { override }) },
    };
  });
}

function Day({ day, events }: { readonly day: string; readonly events: readonly NamedEvent[] }): JSX.Element {
  const groups = useMemo(() => groupEvents(events), [events]);
  const othersOf = new Map(groups.map(({ first, others }) => [first.id, others]));
  return (
    <section aria-label={day}>
      <h2 class="events-day">{day}</h2>
      <div class="card">
        <Timeline
          events={groups.map(({ first }) => first)}
          namesFlags
          more={(event) => <More event={event as NamedEvent} others={othersOf.get(event.id) ?? []} />}
        />
      </div>
    </section>
  );
}

interface MoreProps {
  readonly event: NamedEvent;
  /** The further events of the same change. */
  readonly others: readonly NamedEvent[];
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
      {others.length > 0 && others.length <= unfoldedMax && list}
      {others.length > unfoldedMax && (
        <details class="event-details">
          <summary>{countOf(others.length, 'more event', 'more events')} of the same change</summary>
          {list}
        </details>
      )}
    </>
  );
}

interface ExportProps {
  readonly query: URLSearchParams;
  readonly creators: Creators;
}

/** Saves the latest events that match the filters as a file. */
function Export({ query, creators }: ExportProps): JSX.Element {
  const { isBusy, problems, send } = useSending();
  const save = (kind: 'json' | 'csv') =>
    send(async () => {
      const { body } = await sendRequest<{ readonly events: readonly EventSearchResult[] }>(
        'GET',
        toEventSearch(query, limitMax),
      );
      const day = new Date().toISOString().slice(0, 10);
      const named = body.events.map((event) => nameAuthor(event, creators));
      if (kind === 'json') saveFile(`events-${day}.json`, JSON.stringify(named, null, 2));
      else saveFile(`events-${day}.csv`, writeEventsAsCsv(named), 'text/csv');
    });
  return (
    <div class="page-actions">
      <FormProblems problems={problems} />
      <Button kind="quiet" isBusy={isBusy} title="The latest 1,000 that match" onClick={() => save('csv')}>
        Export CSV
      </Button>
      <Button kind="quiet" isBusy={isBusy} title="The latest 1,000 that match" onClick={() => save('json')}>
        Export JSON
      </Button>
    </div>
  );
}
