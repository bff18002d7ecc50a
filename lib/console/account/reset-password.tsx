import type { JSX } from 'preact';
import { here } from '../browser/router.ts';
import { DeadLink } from './account-page.tsx';
import { ChoosePassword } from './choose-password.tsx';

/** The page of a link to choose another password (`?token=`). */
export function ResetPasswordPage(): JSX.Element {
  const token = new URLSearchParams(here.value.split('?')[1]).get('token');
  const advice = (
    <>
      It works once, within a day. You can <a href="/forgotten-password">ask for another one</a>.
    </>
  );
  if (token === null) return <DeadLink title="This link is not complete">{advice}</DeadLink>;
  return <ChoosePassword token={token} title="Choose a new password" advice={advice} />;
}
