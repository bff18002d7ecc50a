import type { JSX } from 'preact';
import { ActionLink } from '../parts/action-link.tsx';
import { Heading } from '../parts/heading.tsx';
import { currentTab, type Tab, Tabs } from '../parts/tabs.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { ApiTokens } from './api-tokens.tsx';
import { OwnTokens } from './own-tokens.tsx';
import { ServiceAccounts } from './service-accounts.tsx';

const tabs: readonly Tab[] = [
  ['sdk', 'For SDKs'],
  ['service-accounts', 'Service accounts'],
  ['yours', 'Yours'],
];

/** The tokens by which programs reach the service. */
export function TokensPage(): JSX.Element {
  const { value: start } = useStart();
  const mayCreate =
    start === undefined || ['CREATE_CLIENT_API_TOKEN', 'CREATE_FRONTEND_API_TOKEN'].some((each) => mayIn(start, each));
  const tab = currentTab(tabs);
  return (
    <main class="page wide">
      <div class="page-head">
        <Heading title="Tokens" />
        {tab === 'sdk' && (
          <ActionLink icon="plus" href="/tokens/new" reason={mayCreate ? undefined : 'You may not create tokens'}>
            New token
          </ActionLink>
        )}
      </div>
      <Tabs label="Kinds of tokens" tabs={tabs} />
      {tab === 'sdk' && <ApiTokens />}
      {tab === 'service-accounts' && <ServiceAccounts />}
      {tab === 'yours' && <OwnTokens />}
    </main>
  );
}
