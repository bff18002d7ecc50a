import '../parts/forms/form.css';
import './person-page.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownUser } from '../../people/user-schema.ts';
import { go } from '../browser/router.ts';
import {
  deleteUser,
  getAccessOverview,
  getBaseUsersAndGroups,
  getUser,
  getUsers,
  resetUserPassword,
} from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { NewSecret } from '../parts/forms/new-secret.tsx';
import { Heading } from '../parts/heading.tsx';
import { Ago, Tag } from '../parts/small.tsx';
import { Banner, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { useStart } from '../reader/start.ts';
import { accountNamesOf, personNameOf } from '../words/people.ts';
import { DirectoryNote } from './directory-note.tsx';
import { PersonForm } from './person-form.tsx';
import { PersonRights } from './person-rights.tsx';
import { useIsManaged } from './use-directory.ts';

/** The page of a person: their account, and what they may do. */
export function PersonPage({ id }: { readonly id: string }): JSX.Element {
  const path = getUser({ id });
  const { value, problem } = useRead(path, 60_000);
  return (
    <main class="page">
      <Crumbs trail={[['People', '/people']]} />
      {problem?.status === 403 && <Name id={Number(id)} />}
      {value === undefined && problem?.status !== 403 && (
        <div class="page-head">
          <Heading title="Person" />
        </div>
      )}
      {problem !== undefined && problem.status !== 403 && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={6} />}
      {value !== undefined && <Content person={value} />}
    </main>
  );
}

/** The names of a person, for readers who may see no more. */
function Name({ id }: { readonly id: number }): JSX.Element {
  const { value: start } = useStart();
  const { value } = useRead(getBaseUsersAndGroups({}), 60_000);
  const person = value?.users.find((each) => each.id === id);
  const isReader = id === start?.user.id;
  return (
    <>
      <div class="page-head">
        <div class="grow">
          <Heading title={person === undefined ? 'Person' : personNameOf(person)} />
          {person !== undefined && <p class="person-facts">{accountNamesOf(person)}</p>}
        </div>
      </div>
      <Banner tone="info" icon="lock" title="Only Admins see the role, the groups and the rights of a person">
        {isReader ? (
          <>
            Yours are on <a href="/me">the page of your account</a>.
          </>
        ) : (
          'Ask an Admin what they may do, or to change it.'
        )}
      </Banner>
    </>
  );
}

function Content({ person }: { readonly person: ShownUser }): JSX.Element {
  const { value: start } = useStart();
  const [step, setStep] = useState<'edit' | 'delete'>();
  const [link, setLink] = useState<string>();
  const { problems, isBusy, send } = useSending();
  const name = personNameOf(person);
  const isReader = person.id === start?.user.id;
  const isManaged = useIsManaged(person);
  const account = person.username ?? person.email ?? '';
  return (
    <>
      <div class="page-head">
        <div class="grow">
          <Heading title={name} />
          <p class="person-facts">
            {accountNamesOf(person) && <span>{accountNamesOf(person)}</span>}
            <span>
              {person.seenAt === null ? 'Has not signed in yet' : <>Signed in {<Ago time={person.seenAt} />}</>}
            </span>
            <span>
              Account created <Ago time={person.createdAt} />
            </span>
            {person.deactivated && <Tag tone="warn">Deactivated</Tag>}
          </p>
          {isManaged && <DirectoryNote kind="account" />}
          {!isManaged && person.deactivated && <DirectoryNote kind="gone" />}
        </div>
        <div class="page-actions">
          <Button icon="pencil" onClick={() => setStep('edit')}>
            Edit
          </Button>
          <Button
            icon="key-round"
            isBusy={isBusy}
            reason={isManaged ? 'The directory manages this account by SCIM: they sign in through it' : undefined}
            onClick={() =>
              send(async () => setLink((await resetUserPassword({}, { body: { id: account } })).body.resetPasswordUrl))
            }
          >
            New password
          </Button>
          <Button icon="trash" reason={isReader ? 'This is you' : undefined} onClick={() => setStep('delete')}>
            Delete
          </Button>
        </div>
      </div>
      <FormProblems problems={problems} />
      {link !== undefined && (
        <NewSecret title={`A new password for ${name}`} thing="link" secret={link} onClose={() => setLink(undefined)}>
          <p>
            They can use this link once, within a day, to choose a new password. If the service can send mail, it has
            sent the link.
          </p>
        </NewSecret>
      )}
      {step === 'edit' && <PersonForm person={person} onClose={() => setStep(undefined)} />}
      <Memberships id={person.id} />
      {person.deactivated ? (
        <section class="section" aria-labelledby="rights">
          <h2 id="rights">What may they do?</h2>
          <p class="section-note">
            Nothing while the account is deactivated. They keep their role and their groups, for the day on which the
            directory activates the account again.
          </p>
        </section>
      ) : (
        <PersonRights id={person.id} name={name} />
      )}
      {step === 'delete' && (
        <Confirm
          isDanger
          title={`Delete ${name}?`}
          verb="Delete the account"
          act={async () => {
            await deleteUser({ id: person.id });
            showMessage(`${name} is deleted`);
            void reload(getUsers({}));
            go('/people');
          }}
          onClose={() => setStep(undefined)}
        >
          They are signed out, and their tokens stop working within seconds. The log keeps their name.
          {isManaged && ' The directory may create the account again, without its roles.'}
        </Confirm>
      )}
    </>
  );
}

function Memberships({ id }: { readonly id: number }): JSX.Element | null {
  const { value } = useRead(getAccessOverview({}), 60_000);
  const entry = value?.overview.find(({ userId }) => userId === id);
  if (entry === undefined) return null;
  return (
    <dl class="card memberships">
      <dt>Role</dt>
      <dd>{entry.rootRole}</dd>
      <dt>Groups</dt>
      <dd>{entry.groups.join(', ') || 'None'}</dd>
      <dt>Member of</dt>
      <dd>
        {entry.accessibleProjects.length === 0
          ? 'No project'
          : entry.accessibleProjects.map((project, index) => (
              <span key={project}>
                {index > 0 && ', '}
                <a href={`/projects/${encodeURIComponent(project)}/settings#access`}>{project}</a>
              </span>
            ))}
      </dd>
    </dl>
  );
}
