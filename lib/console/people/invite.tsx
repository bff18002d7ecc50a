import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { go } from '../browser/router.ts';
import { createUser, getRoles, getUsers } from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { NewSecret } from '../parts/forms/new-secret.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Heading } from '../parts/heading.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
import { RoleField } from './role-field.tsx';
import { isRootRole } from './role-kinds.ts';

/** Somebody who was invited, and the link by which they choose a password. */
interface Invited {
  readonly name: string;
  readonly link: string;
  readonly isMailed: boolean;
}

/** The page on which somebody gets an account. */
export function InvitePage(): JSX.Element {
  const [invited, setInvited] = useState<Invited>();
  return (
    <main class="page">
      <Crumbs trail={[['People', '/people']]} />
      <div class="page-head">
        <Heading title="Invite somebody" />
      </div>
      {invited === undefined ? (
        <InviteForm onInvited={setInvited} />
      ) : (
        <NewSecret
          title={`The link for ${invited.name}`}
          thing="link"
          secret={invited.link}
          onClose={() => go('/people')}
        >
          <p>
            {invited.isMailed ? 'It has been sent by e-mail.' : 'Send it to them yourself.'} They can use it once,
            within a week, to choose a password.
          </p>
        </NewSecret>
      )}
    </main>
  );
}

function InviteForm({ onInvited }: { readonly onInvited: (invited: Invited) => void }): JSX.Element {
  const { value: start } = useStart();
  const { value: list } = useRead(getRoles({}), 60_000);
  const { isBusy, problems, send } = useSending();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [username, setUsername] = useState('');
  const roles = (list?.roles ?? []).filter(isRootRole);
  const [chosen, setRole] = useState<number>();
  const rootRole = chosen ?? roles.find((role) => role.name === 'Viewer')?.id;

  async function invite(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (rootRole === undefined) return;
    await send(async () => {
      const { body } = await createUser(
        {},
        {
          body: {
            rootRole,
            ...(name.trim() !== '' && { name: name.trim() }),
            ...(email.trim() !== '' && { email: email.trim() }),
            ...(username.trim() !== '' && { username: username.trim() }),
          },
        },
      );
      const shown = name.trim() || email.trim() || username.trim();
      void reload(getUsers({}));
      if (body.inviteLink === undefined) {
        showMessage(`${shown} has an account`);
        go(`/people/${body.id}`);
      } else {
        onInvited({ name: shown, link: body.inviteLink, isMailed: body.emailSent === true });
      }
    });
  }

  return (
    <form class="card form form-card" onSubmit={invite}>
      <TextField label="Name" maxLength={255} value={name} onInput={setName} />
      <div class="form-pair">
        <TextField
          label="E-mail"
          hint="A link to choose a password is sent there, if the service can send mail."
          type="email"
          value={email}
          onInput={setEmail}
        />
        <TextField
          label="User name"
          hint="Only needed without an e-mail address."
          autocapitalize="none"
          spellcheck={false}
          value={username}
          onInput={setUsername}
        />
      </div>
      <RoleField label="Role" roles={roles} value={rootRole ?? null} onChange={setRole} />
      <p class="muted">
        This role holds in the whole service. A role in a project, such as Approver, is given in the settings of the
        project, under Members.
      </p>
      <FormFoot
        verb="Invite"
        problems={problems}
        isBusy={isBusy}
        isDisabled={email.trim() === '' && username.trim() === ''}
        reason={start === undefined || isAdmin(start) ? undefined : 'Only Admins may invite people'}
        cancel="/people"
      />
      <p class="section-note">
        To invite many at once, make an <a href="/people#invitations">invitation link</a>.
      </p>
    </form>
  );
}
