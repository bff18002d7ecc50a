import './override.css';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { OpenOverride } from '../../screens/start-schema.ts';
import { endChangeRequestOverride } from '../calls/requests.ts';
import { reload } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { startPath, useStart } from '../reader/start.ts';
import { describeSpan } from '../words/times.ts';

/** Milliseconds between two looks at the clock. */
const tickMs = 10_000;

/** The overrides of the reader, on every page until they end. */
export function OverrideBar(): JSX.Element | null {
  const { value: start } = useStart();
  const [now, setNow] = useState(Date.now());
  const own = (start?.overrides ?? []).filter(
    ({ createdBy, until }) => createdBy.id === start?.user.id && Date.parse(until) > now,
  );
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [own.length]);
  if (own.length === 0) return null;
  return (
    <aside class="override-bar" aria-label="Overrides of approval">
      {own.map((override) => (
        <Row key={override.id} override={override} now={now} />
      ))}
    </aside>
  );
}

function Row({ override, now }: { readonly override: OpenOverride; readonly now: number }): JSX.Element {
  const { id, project, environment, from, until } = override;
  const [isBusy, setBusy] = useState(false);
  const isRunning = Date.parse(from) <= now;
  const span = describeSpan((Date.parse(isRunning ? until : from) - now) / 1_000);

  async function end(): Promise<void> {
    setBusy(true);
    await attempt(async () => {
      await endChangeRequestOverride({ projectId: project, environment, id });
      showMessage('The override has ended. Changes need approval again.');
    });
    setBusy(false);
    await reload(startPath);
  }

  return (
    <p>
      <Icon name="zap" />
      <span class="grow">
        {isRunning ? 'You override' : `In ${span} you override`} approval in{' '}
        <a href={`/projects/${project}/change-requests/${id}`}>
          {project} / {environment}
        </a>
        {isRunning && `, ${span} left`}.
      </span>
      <Button isBusy={isBusy} onClick={end}>
        End it
      </Button>
    </p>
  );
}
