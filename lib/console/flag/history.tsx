import type { JSX } from 'preact';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { storeDraft } from '../data/use-draft.ts';
import { Button } from '../parts/button.tsx';
import { EventDetails } from '../parts/event-details.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { go } from '../shell/router.ts';
import { draftKey, toDraft } from '../strategy/draft.ts';
import { type EarlierStrategy, listEarlierStrategies } from './earlier-strategies.ts';

/** The newest events of a flag, with their differences, and the way back for strategies. */
export function History({ flag }: { readonly flag: ConsoleFlag }): JSX.Element {
  const { feature } = flag;
  return (
    <section class="card" aria-labelledby="history">
      <header class="card-head">
        <h2 id="history">History</h2>
        <a class="muted" href={`/events?feature=${encodeURIComponent(feature.name)}`}>
          All events
        </a>
      </header>
      <Timeline
        events={flag.events}
        more={(event) => (
          <EventDetails before={event.preData} after={event.data}>
            <div class="event-acts">
              {listEarlierStrategies(flag, event).map((earlier) => (
                <Button key={earlier.label} icon="rotate-ccw" onClick={() => goBack(flag, earlier)}>
                  {earlier.label}
                </Button>
              ))}
            </div>
          </EventDetails>
        )}
      />
    </section>
  );
}

/** Opens the editor with an earlier state of a strategy, so that its effect is seen before it is saved. */
function goBack({ feature, version }: ConsoleFlag, { environment, current, draft }: EarlierStrategy): void {
  const opened = current === undefined ? { ...draft, title: '', parameters: {} } : toDraft(current);
  storeDraft(draftKey(feature, environment, current?.id), { value: opened, etag: version }, draft);
  const where = `environmentId=${environment}`;
  const page = current === undefined ? `create?${where}` : `edit?${where}&strategyId=${current.id}`;
  go(`/projects/${feature.project}/features/${feature.name}/strategies/${page}`);
}
