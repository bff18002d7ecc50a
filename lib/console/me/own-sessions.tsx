import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { endConsoleSessions, getConsoleSessions } from '../calls/sign-in.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Ago, Tag } from '../parts/small.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { countOf } from '../words/numbers.ts';

/** The sessions of the reader: the browsers in which they are signed in. */
export function OwnSessions(): JSX.Element | null {
  const path = getConsoleSessions({});
  const { value } = useRead(path, 60_000);
  const { isBusy, problems, send } = useSending();
  if (value === undefined) return null;
  const others = value.sessions.filter(({ isCurrent }) => !isCurrent);
  async function end(): Promise<void> {
    if (!(await send(() => endConsoleSessions({})))) return;
    showMessage('Your other sessions are ended');
    await reload(path);
  }
  return (
    <section class="section" aria-labelledby="sessions">
      <h2 id="sessions">Your sessions</h2>
      <p class="section-note">
        {others.length === 0
          ? 'You are signed in here only.'
          : `You are signed in here and in ${countOf(others.length, 'other browser')}.`}{' '}
        A session that is not used ends after two days.
      </p>
      <ul class="card sessions">
        {value.sessions.map(({ createdAt, expiresAt, isCurrent }) => (
          <li key={`${createdAt} ${expiresAt}`}>
            <span>
              Signed in <Ago time={createdAt} />
            </span>
            {isCurrent && <Tag tone="on">This browser</Tag>}
            <span class="muted">
              ends <Ago time={expiresAt} /> unless it is used
            </span>
          </li>
        ))}
      </ul>
      <FormProblems problems={problems} />
      <div class="form-foot">
        <Button isBusy={isBusy} isDisabled={others.length === 0} onClick={end}>
          Sign out everywhere else
        </Button>
      </div>
    </section>
  );
}
