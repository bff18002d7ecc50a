import type { JSX } from 'preact';
import { Crumbs } from '../parts/crumbs.tsx';
import { Heading } from '../parts/heading.tsx';
import { currentTab, type Tab, Tabs } from '../parts/tabs.tsx';
import { OidcForm } from './oidc-form.tsx';
import { PasswordSwitch } from './password-switch.tsx';
import { SamlForm } from './saml-form.tsx';
import { ScimPage } from './scim-page.tsx';

const tabs: readonly Tab[] = [
  ['password', 'Password'],
  ['oidc', 'OpenID Connect'],
  ['saml', 'SAML'],
  ['scim', 'Directory (SCIM)'],
];

/** The ways by which people sign in, and by which they get accounts. */
export function SignInPage(): JSX.Element {
  const tab = currentTab(tabs);
  return (
    <main class="page">
      <Crumbs trail={[['People', '/people']]} />
      <div class="page-head">
        <Heading title="How people sign in" />
      </div>
      <Tabs label="Ways to sign in" tabs={tabs} />
      {tab === 'password' && <PasswordSwitch />}
      {tab === 'oidc' && <OidcForm />}
      {tab === 'saml' && <SamlForm />}
      {tab === 'scim' && <ScimPage />}
    </main>
  );
}
