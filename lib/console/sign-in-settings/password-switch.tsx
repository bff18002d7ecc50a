import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getSimpleSettings, setSimpleSettings } from '../calls/sign-in.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Confirm } from '../parts/confirm.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';

/** Switches signing in with a password on and off. */
export function PasswordSwitch(): JSX.Element {
  const path = getSimpleSettings({});
  const { value, problem } = useRead(path, 60_000);
  const { value: start } = useStart();
  const { isBusy, problems, send } = useSending();
  const [isAsking, setAsking] = useState(false);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={2} />;

  async function turn(disabled: boolean): Promise<void> {
    await setSimpleSettings({}, { body: { disabled }, ifMatch: peek(path).etag });
    showMessage(disabled ? 'Nobody signs in with a password any more' : 'People can sign in with a password');
    await reload(path);
  }

  const reason = mayIn(start, 'UPDATE_AUTH_CONFIGURATION') ? undefined : 'Only Admins may change how people sign in.';
  return (
    <section class="section card form-card" aria-labelledby="password">
      <div class="section-head">
        <h2 id="password">Name and password</h2>
        <Switch
          isOn={value.disabled !== true}
          label="People sign in with a password"
          isBusy={isBusy}
          reason={reason}
          onSwitch={(isOn) => (isOn ? send(() => turn(false)) : setAsking(true))}
        />
      </div>
      <p class="section-note">
        People sign in with a name and a password. It can be switched off once somebody has signed in another way: do
        that first, and come back in that session.
      </p>
      {start !== undefined && reason !== undefined && <p class="section-note">{reason}</p>}
      <FormProblems problems={problems} />
      {isAsking && (
        <Confirm
          isDanger
          title="Switch passwords off?"
          verb="Switch passwords off"
          act={() => turn(true)}
          onClose={() => setAsking(false)}
        >
          People then sign in with single sign-on alone. If that breaks, an admin token can switch passwords on again.
        </Confirm>
      )}
    </section>
  );
}
