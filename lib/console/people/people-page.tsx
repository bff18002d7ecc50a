import type { JSX } from 'preact';
import { ButtonLink } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { currentTab, type Tab, Tabs } from '../parts/tabs.tsx';
import { Groups } from './groups.tsx';
import { Invitations } from './invitations.tsx';
import { PeopleList } from './people-list.tsx';
import { Roles } from './roles.tsx';

const tabs: readonly Tab[] = [
  ['people', 'People'],
  ['groups', 'Groups'],
  ['roles', 'Roles'],
  ['invitations', 'Invitation links'],
];

/** The people of the service, their groups and roles. */
export function PeoplePage(): JSX.Element {
  const tab = currentTab(tabs);
  return (
    <main class="page wide">
      <div class="page-head">
        <Heading title="People" />
        {tab === 'people' && (
          <div class="page-actions">
            <ButtonLink icon="log-in" href="/sign-in">
              How people sign in
            </ButtonLink>
            <ButtonLink kind="solid" icon="user-plus" href="/people/new">
              Invite somebody
            </ButtonLink>
          </div>
        )}
        {tab === 'groups' && (
          <ButtonLink kind="solid" icon="plus" href="/people/groups/new">
            New group
          </ButtonLink>
        )}
        {tab === 'roles' && (
          <ButtonLink kind="solid" icon="plus" href="/people/roles/new">
            New role
          </ButtonLink>
        )}
      </div>
      <Tabs label="Access" tabs={tabs} />
      {tab === 'people' && <PeopleList />}
      {tab === 'groups' && <Groups />}
      {tab === 'roles' && <Roles />}
      {tab === 'invitations' && <Invitations />}
    </main>
  );
}
