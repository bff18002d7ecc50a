import '../parts/forms/form.css';
import '../parts/forms/connection.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { deleteScimGroups, deleteScimUsers, getGroups, getUsers } from '../calls/people.ts';
import { generateNewScimToken, getScimSettings, setScimSettings } from '../calls/sign-in.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { ConnectionAddress } from '../parts/forms/connection-address.tsx';
import { NewSecret } from '../parts/forms/new-secret.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { ScimGuides } from './scim-guides.tsx';

/** The settings of SCIM, by which a directory manages people and groups. */
export function ScimPage(): JSX.Element {
  const path = getScimSettings({});
  const { value, problem } = useRead(path, 60_000);
  const [secret, setSecret] = useState<string>();
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={4} />;
  return (
    <>
      {secret !== undefined && (
        <NewSecret
          title="The token of the directory"
          thing="token"
          secret={secret}
          onClose={() => setSecret(undefined)}
        >
          <p>Enter it in the directory as the secret token. A token from before no longer works.</p>
        </NewSecret>
      )}
      <Connection settings={value} onToken={setSecret} />
      <ScimGuides />
      <Managed />
    </>
  );
}

interface ConnectionProps {
  readonly settings: { readonly enabled: boolean; readonly hasToken: boolean };
  readonly onToken: (secret: string) => void;
}

/** The switch, the address and the token. */
function Connection({ settings: { enabled, hasToken }, onToken }: ConnectionProps): JSX.Element {
  const path = getScimSettings({});
  const { etag } = useRead(path, 60_000);
  const { value: start } = useStart();
  const { isBusy, problems, send } = useSending();
  const [asked, setAsked] = useState<'off' | 'token'>();
  const reason = start === undefined || isAdmin(start) ? undefined : 'Only Admins may change how people get accounts';
  const address = `${location.origin}/scim`;
  const without = enabled ? 'None, so the directory cannot connect.' : 'None yet. Switching on makes one.';
  const tokenState = hasToken ? 'Made. Only its hash is stored.' : without;

  async function turn(isOn: boolean): Promise<void> {
    await setScimSettings({}, { body: { enabled: isOn }, ifMatch: etag });
    if (isOn && !hasToken) await makeToken();
    showMessage(isOn ? 'The directory can manage people and groups' : 'The directory manages nothing any more');
    await reload(path);
  }

  async function makeToken(): Promise<void> {
    onToken((await generateNewScimToken({})).body.token);
    await reload(path);
  }

  return (
    <section class="section card form-card" aria-labelledby="scim">
      <div class="section-head">
        <h2 id="scim">Accounts from a directory</h2>
        <Switch
          isOn={enabled}
          label="A directory manages people and groups by SCIM"
          isBusy={isBusy}
          reason={reason}
          onSwitch={(isOn) => (isOn ? send(() => turn(true)) : setAsked('off'))}
        />
      </div>
      <p class="section-note">
        A directory, such as Okta or Entra ID, creates, changes and deactivates people and groups here by SCIM 2.0. Only
        the directory then changes their names, addresses and members. Roles are given here, and stay.
      </p>
      <dl class="connection">
        <ConnectionAddress address={address} />
        <dt>Token</dt>
        <dd>
          {tokenState}
          <Button
            kind="quiet"
            icon="key-round"
            isBusy={isBusy}
            reason={reason}
            onClick={() => (hasToken ? setAsked('token') : send(makeToken))}
          >
            New token
          </Button>
        </dd>
      </dl>
      <FormProblems problems={problems} />
      {asked === 'off' && (
        <Confirm
          isDanger
          title="Switch the directory off?"
          verb="Switch it off"
          act={() => turn(false)}
          onClose={() => setAsked(undefined)}
        >
          Its requests are refused until it is on again: people who leave keep their access here. People, groups and the
          token stay, and Admins can change them.
        </Confirm>
      )}
      {asked === 'token' && (
        <Confirm
          isDanger
          title="Make a new token?"
          verb="Make a new token"
          act={makeToken}
          onClose={() => setAsked(undefined)}
        >
          The present token ends at once. The directory changes nothing here until it has the new one.
        </Confirm>
      )}
    </section>
  );
}

/** The people and the groups that the directory manages, and the way to delete them all. */
function Managed(): JSX.Element | null {
  const [usersPath, groupsPath] = [getUsers({}), getGroups({})];
  const { value: people } = useRead(usersPath, 60_000);
  const { value: list } = useRead(groupsPath, 60_000);
  const [asked, setAsked] = useState<'people' | 'groups'>();
  if (people === undefined || list === undefined) return null;
  const userCount = people.users.filter(({ scimId }) => scimId !== null).length;
  const groupCount = list.groups.filter(({ scimId }) => scimId !== null).length;
  const none = 'The directory manages none';
  return (
    <section class="section card form-card" aria-labelledby="managed">
      <div class="section-head">
        <h2 id="managed">What it manages</h2>
        <div class="page-actions">
          <Button reason={userCount === 0 ? none : undefined} onClick={() => setAsked('people')}>
            Delete its people
          </Button>
          <Button reason={groupCount === 0 ? none : undefined} onClick={() => setAsked('groups')}>
            Delete its groups
          </Button>
        </div>
      </div>
      <p class="section-note">
        {countOf(userCount, 'person', 'people')} and {countOf(groupCount, 'group')}.{' '}
        <a href="/events?createdBy=SCIM">What it has changed</a> is in the log.
      </p>
      {asked === 'people' && (
        <Confirm
          isDanger
          title={`Delete ${countOf(userCount, 'person', 'people')}?`}
          verb="Delete them all"
          act={async () => {
            await deleteScimUsers({});
            showMessage('The people of the directory are deleted');
            await reload(usersPath);
          }}
          onClose={() => setAsked(undefined)}
        >
          They are signed out, and their tokens and roles are gone. The last Admin and you yourself stay. The directory
          may create them again, without their roles.
        </Confirm>
      )}
      {asked === 'groups' && (
        <Confirm
          isDanger
          title={`Delete ${countOf(groupCount, 'group')}?`}
          verb="Delete them all"
          act={async () => {
            await deleteScimGroups({});
            showMessage('The groups of the directory are deleted');
            await reload(groupsPath);
          }}
          onClose={() => setAsked(undefined)}
        >
          Their members lose the rights that these groups gave them. The directory may create the groups again, without
          their roles.
        </Confirm>
      )}
    </section>
  );
}
