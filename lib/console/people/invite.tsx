import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { createUser, getRoles, getUsers } from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { isAdmin, useStart } from '../data/start.ts';
import { useSending } from '../data/use-sending.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { NewSecret } from '../parts/forms/new-secret.tsx';
import { Heading } from '../parts/heading.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { go } from '../shell/router.ts';
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
      <Crumbs places={[['People', '/people']]} />
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
            {invited.isMailed ? 'A mail with it is on its way.' : 'Send it to them yourself.'} With it they choose a
            password, once, within a week.
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
      <Field label="Name">
        <input
          class="input"
          autocomplete="off"
          maxLength={255}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Field>
      <div class="form-pair">
        <Field label="E-mail" hint="A link to choose a password is sent there, if the service can send mail.">
          <input
            class="input"
            type="email"
            autocomplete="off"
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        </Field>
        <Field label="User name" hint="Only needed without an e-mail address.">
          <input
            class="input"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={username}
            onInput={(event) => setUsername(event.currentTarget.value)}
          />
        </Field>
      </div>
      <RoleField label="Role" roles={roles} value={rootRole ?? null} onChange={setRole} />
      <p class="muted">
        This role holds in the whole service. A role in a project, such as Approver, is given in the settings of the
        project, under Members.
      </p>
      <FormProblems problems={problems} />
      <div class="form-foot">
        <ButtonLink href="/people">Cancel</ButtonLink>
        <Button
          kind="solid"
          type="submit"
          isBusy={isBusy}
          isDisabled={email.trim() === '' && username.trim() === ''}
          reason={start === undefined || isAdmin(start) ? undefined : 'Only Admins may invite people'}
        >
          Invite
        </Button>
      </div>
      <p class="section-note">
        To invite many at once, make an <a href="/people#invitations">invitation link</a>.
      </p>
    </form>
  );
}
