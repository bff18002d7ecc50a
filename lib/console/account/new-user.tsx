import type { JSX } from 'preact';
import { here } from '../browser/router.ts';
import { AcceptInvitation } from './accept-invitation.tsx';
import { DeadLink } from './account-page.tsx';
import { ChoosePassword } from './choose-password.tsx';

/** The first page of a new person: a link for them alone (`?token=`), or one for many (`?invite=`). */
export function NewUserPage(): JSX.Element {
  const query = new URLSearchParams(here.value.split('?')[1]);
  const [token, invite] = [query.get('token'), query.get('invite')];
  if (token !== null) {
    return (
      <ChoosePassword
        token={token}
        title="Welcome to Flagstaff"
        advice="It works once, within a week. Ask the person who invited you for another one."
      />
    );
  }
  if (invite !== null) return <AcceptInvitation invite={invite} />;
  return (
    <DeadLink title="This link is not complete">
      Open the whole link of your invitation, or ask the person who invited you for another one.
    </DeadLink>
  );
}
