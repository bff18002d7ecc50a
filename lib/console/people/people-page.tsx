import type { JSX } from 'preact';
import { ActionLink } from '../parts/action-link.tsx';
import { Heading } from '../parts/heading.tsx';
import { currentTab, type Tab, Tabs } from '../parts/tabs.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
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
  const { value: start } = useStart();
  const reason = start === undefined || isAdmin(start) ? undefined : 'Only Admins may do this';
  const tab = currentTab(tabs);
  return (
    <main class="page wide">
      <div class="page-head">
        <Heading title="People" />
        {tab === 'people' && (
          <div class="page-actions">
            <ActionLink kind="plain" icon="log-in" href="/sign-in" reason={reason}>
              How people sign in
            </ActionLink>
            <ActionLink icon="user-plus" href="/people/new" reason={reason}>
              Invite somebody
            </ActionLink>
          </div>
        )}
        {tab === 'groups' && (
          <ActionLink icon="plus" href="/people/groups/new" reason={reason}>
            New group
          </ActionLink>
        )}
        {tab === 'roles' && (
          <ActionLink icon="plus" href="/people/roles/new" reason={reason}>
            New role
          </ActionLink>
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
