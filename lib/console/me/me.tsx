import '../parts/forms/form.css';
import './me.css';
import type { JSX } from 'preact';
import { areLettersOn, switchLetters } from '../browser/shortcuts.ts';
import { getProfile } from '../calls/sign-in.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { ChoiceCards } from '../parts/forms/choice-cards.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
import { signOut } from '../shell/sign-out.ts';
import { chooseTheme, chosenTheme } from '../shell/theme.ts';
import { ChangePassword } from './change-password.tsx';
import { OwnSessions } from './own-sessions.tsx';

const themes = [
  { value: 'system', title: 'Same as the system', text: 'Light by day, dark by night, if your system changes.' },
  { value: 'light', title: 'Light', text: 'Always light in this browser.' },
  { value: 'dark', title: 'Dark', text: 'Always dark in this browser.' },
] as const;

/** The page about the reader: who they are here, their password, their sessions, and how the console behaves. */
export function MePage(): JSX.Element {
  const path = getProfile({});
  const { value: profile, problem } = useRead(path, 60_000);
  const { value: start } = useStart();
  return (
    <main class="page">
      <div class="page-head">
        <Heading title={start?.user.name ?? 'You'} />
        <Button icon="log-out" onClick={signOut}>
          Sign out
        </Button>
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {profile === undefined && problem === undefined && <Skeleton rows={4} />}
      {profile !== undefined && (
        <section class="section" aria-labelledby="account">
          <h2 id="account">Your account</h2>
          <dl class="card me-facts">
            <dt>Account</dt>
            <dd>{[start?.user.username, start?.user.email].filter(Boolean).join(' · ')}</dd>
            <dt>Role</dt>
            <dd>
              {profile.rootRole.name}
              <small> {profile.rootRole.description}</small>
            </dd>
            <dt>Groups</dt>
            <dd>{profile.groups.join(', ') || 'None'}</dd>
            <dt>Member of</dt>
            <dd>{profile.projects.join(', ') || 'No project'}</dd>
          </dl>
          {isAdmin(start) ? (
            <p class="section-note">
              <a href={`/people/${start?.user.id}`}>Change your name or address</a>
            </p>
          ) : (
            <p class="section-note">An Admin can change your name and your address.</p>
          )}
        </section>
      )}
      <section class="section" aria-labelledby="looks">
        <h2 id="looks">How the console looks and behaves</h2>
        <ChoiceCards
          label="Theme"
          cards={themes}
          value={chosenTheme.value ?? 'system'}
          onChoose={(theme) => chooseTheme(theme === 'system' ? null : theme)}
        />
        <Check
          label="Single letters are shortcuts"
          hint="Such as / to search, and g then f for the flags. Switch this off if you use voice control."
          isChecked={areLettersOn.value}
          onCheck={switchLetters}
        />
      </section>
      {profile?.canChangePassword && <ChangePassword />}
      <OwnSessions />
      <section class="section" aria-labelledby="own-tokens">
        <h2 id="own-tokens">Your tokens</h2>
        <p class="section-note">With one of these, a program may do what you may do.</p>
        <div class="form-foot">
          <ButtonLink href="/tokens#yours" icon="key-round">
            Your tokens
          </ButtonLink>
        </div>
      </section>
    </main>
  );
}
