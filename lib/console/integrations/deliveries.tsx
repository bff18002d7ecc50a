import '../parts/chip.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Event } from '../../events/event-schema.ts';
import type { IntegrationEvent } from '../../integrations/sent-log-schema.ts';
import { getIntegrationEvents, sendIntegrationEvents } from '../calls/integrations.ts';
import { reload, useRead } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { Ago, Pill } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { isAdmin, mayIn, useStart } from '../reader/start.ts';
import { tellEvent } from '../words/events.ts';
import { describeDetails, listAttempts } from './delivery-words.ts';

/** Deliveries of a page. */
const pageSize = 50;

/** A delivery appears some seconds after the change. */
const everyMs = 5_000;

interface DeliveriesProps {
  readonly id: number;
  readonly isEnabled: boolean;
}

/** The deliveries of an integration in the last 30 days, each with its attempts, the newest first. */
export function Deliveries({ id, isEnabled }: DeliveriesProps): JSX.Element {
  const { value: start } = useStart();
  const [showsFailed, setShowsFailed] = useState(false);
  const [offset, setOffset] = useState(0);
  const mayRead = isAdmin(start);
  const path = getIntegrationEvents({ id }, { limit: pageSize, offset, state: showsFailed ? 'failed' : undefined });
  const { value, problem } = useRead(start === undefined || !mayRead ? undefined : path, everyMs);
  const deliveries = value?.integrationEvents ?? [];
  const reasonWhileOff = isEnabled ? undefined : 'Switch it on first.';
  const reason = mayIn(start, 'UPDATE_ADDON') ? reasonWhileOff : 'Needs the permission to change integrations.';

  async function sendAgain(body: { readonly ids: number[] } | { readonly failed: true }): Promise<void> {
    await attempt(async () => {
      await sendIntegrationEvents({ id }, { body });
      showMessage('It is sent again within some seconds.');
    });
    await reload(path);
  }

  return (
    <section class="deliveries" aria-labelledby="deliveries">
      <div class="deliveries-head">
        <h2 id="deliveries" class="grow">
          Deliveries
        </h2>
        <button
          type="button"
          class="chip"
          aria-pressed={showsFailed}
          onClick={() => {
            setShowsFailed(!showsFailed);
            setOffset(0);
          }}
        >
          Failed only
        </button>
        <Button icon="rotate-ccw" reason={reason} onClick={() => sendAgain({ failed: true })}>
          Send all failed again
        </Button>
      </div>
      <div class="card">
        {start !== undefined && !mayRead && (
          <Empty icon="lock" title="Only Admins see deliveries">
            They contain what was sent, of all projects.
          </Empty>
        )}
        {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
        {mayRead && value === undefined && problem === undefined && <Skeleton rows={6} />}
        {value !== undefined && deliveries.length === 0 && (
          <Empty icon="send" title={showsFailed ? 'Nothing failed' : 'Nothing was sent yet'}>
            {showsFailed ? 'Everything has arrived.' : 'Send a test, or change a flag.'}
          </Empty>
        )}
        <ul>
          {deliveries.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} reason={reason} onAgain={sendAgain} />
          ))}
        </ul>
      </div>
      {(offset > 0 || deliveries.length === pageSize) && (
        <div class="page-actions deliveries-pages">
          <Button isDisabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - pageSize))}>
            Newer
          </Button>
          <Button isDisabled={deliveries.length < pageSize} onClick={() => setOffset(offset + pageSize)}>
            Older
          </Button>
        </div>
      )}
    </section>
  );
}

const looks = {
  success: ['Arrived', 'on'],
  successWithErrors: ['Arrived in part', 'warn'],
  failed: ['Failed', 'bad'],
} as const;

interface RowProps {
  readonly delivery: IntegrationEvent;
  readonly reason: string | undefined;
  readonly onAgain: (body: { readonly ids: number[] }) => Promise<void>;
}

function Row({ delivery, reason, onAgain }: RowProps): JSX.Element {
  const { id, createdAt, state, stateDetails, event, details } = delivery;
  const [words, tone] = looks[state];
  const attempts = listAttempts(details);
  const told = event as Event;
  return (
    <li class="delivery">
      <Pill tone={tone}>{words}</Pill>
      <div class="grow">
        <p>
          {told.featureName !== null && <b class="mono">{told.featureName} </b>}
          {told.createdBy} {tellEvent(told)}
        </p>
        {stateDetails !== '' && <p class="muted">{stateDetails}</p>}
        <details>
          <summary>
            {attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}
            <span class="hidden"> of the event {id}</span>
          </summary>
          <table class="attempts">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Took</th>
                <th scope="col">Answer</th>
              </tr>
            </thead>
            <tbody>
              {attempts.map(({ at, took, answer }) => (
                <tr key={at}>
                  <td>{new Date(at).toLocaleString()}</td>
                  <td>{took}</td>
                  <td>{answer}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard */}
          <pre tabIndex={0}>{describeDetails(details)}</pre>
        </details>
      </div>
      <span class="muted">
        <Ago time={createdAt} />
      </span>
      <Button kind="quiet" reason={reason} onClick={() => onAgain({ ids: [Number(id)] })}>
        Send again<span class="hidden"> the event {id}</span>
      </Button>
    </li>
  );
}
