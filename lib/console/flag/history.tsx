import type { JSX } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { go } from '../browser/router.ts';
import { placeOf } from '../change/place-of.ts';
import { storeDraft } from '../data/use-draft.ts';
import { Button } from '../parts/button.tsx';
import { EventDetails } from '../parts/event-details.tsx';
import { Icon } from '../parts/icon.tsx';
import { Later } from '../parts/later.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { loadPast } from '../past/load-past.ts';
import { draftKey, toDraft } from '../strategy/draft.ts';
import { tellEvent } from '../words/events.ts';
import { describeStrategyState } from '../words/strategy-state.ts';
import { type EarlierStrategy, listEarlierStrategies } from './earlier-strategies.ts';

type State = NonNullable<ConsoleFlag['events'][number]['data']>;

/** The newest events of a flag, with their differences, and the way back for strategies. */
export function History({ flag }: { readonly flag: ConsoleFlag }): JSX.Element {
  const { feature } = flag;
  const describe = useCallback((state: State) => describeStrategyState(state, flag.segments), [flag.segments]);
  const [travel, setTravel] = useState<{ readonly event?: ConsoleFlag['events'][number] }>();
  return (
    <section class="card" aria-labelledby="history">
      <header class="card-head">
        <h2 id="history" class="grow">
          History
        </h2>
        <Button kind="quiet" icon="clock" onClick={() => setTravel({})}>
          Time travel
        </Button>
        <a class="muted" href={`/events?feature=${encodeURIComponent(feature.name)}`}>
          All events
        </a>
      </header>
      <Timeline
        events={flag.events}
        more={(event) => (
          <>
            <EventDetails before={event.preData} after={event.data} describe={describe}>
              <div class="event-acts">
                {listEarlierStrategies(flag, event).map((earlier) => (
                  <Button key={earlier.label} icon="rotate-ccw" onClick={() => goBack(flag, earlier)}>
                    {earlier.label}
                  </Button>
                ))}
              </div>
            </EventDetails>
            {reachesUsers.test(event.type) && (
              <button
                type="button"
                class="event-moment"
                aria-label={`Before and after: ${event.author} ${tellEvent(event)}`}
                onClick={() => setTravel({ event })}
              >
                <Icon name="clock" size={13} />
                Before and after
              </button>
            )}
          </>
        )}
      />
      {travel !== undefined && (
        <Later
          load={loadPast}
          props={{
            ...{ flag, event: travel.event, placeIn: (name: string) => placeOf(flag, name) },
            onClose: () => setTravel(undefined),
          }}
        />
      )}
    </section>
  );
}

/** The types of events that change what applications get. */
const reachesUsers =
  /^(?:feature-(?:strategy|environment|dependenc|metadata|stale|archived|revived|import|reverted)|strategy-order|release-plan-(?:added|removed|milestone))/;

/** Opens the editor with an earlier state of a strategy, so that its effect is seen before it is saved. */
function goBack({ feature, version }: ConsoleFlag, { environment, current, draft }: EarlierStrategy): void {
  const opened = current === undefined ? { ...draft, title: '', parameters: {} } : toDraft(current);
  storeDraft(draftKey(feature, environment, current?.id), { value: opened, etag: version }, draft);
  const where = `environmentId=${environment}`;
  const page = current === undefined ? `create?${where}` : `edit?${where}&strategyId=${current.id}`;
  go(`/projects/${feature.project}/features/${feature.name}/strategies/${page}`);
}
