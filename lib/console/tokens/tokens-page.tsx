import type { JSX } from 'preact';
import { isAdmin, useStart } from '../data/start.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { currentTab, type Tab, Tabs } from '../parts/tabs.tsx';
import { ApiTokens } from './api-tokens.tsx';
import { OwnTokens } from './own-tokens.tsx';
import { ServiceAccounts } from './service-accounts.tsx';

/** The tokens by which programs reach the service. */
export function TokensPage(): JSX.Element {
  const { value: start } = useStart();
  const tabs: Tab[] = [
    ['sdk', 'For SDKs'],
    ...(start === undefined || isAdmin(start) ? [['service-accounts', 'Service accounts'] as const] : []),
    ['yours', 'Yours'],
  ];
  const tab = currentTab(tabs);
  return (
    <main class="page wide">
      <div class="page-head">
        <Heading title="Tokens" />
        {tab === 'sdk' && (
          <ButtonLink kind="solid" icon="plus" href="/tokens/new">
            New token
          </ButtonLink>
        )}
      </div>
      <Tabs label="Kinds of tokens" tabs={tabs} />
      {tab === 'sdk' && <ApiTokens />}
      {tab === 'service-accounts' && <ServiceAccounts />}
      {tab === 'yours' && <OwnTokens />}
    </main>
  );
}
