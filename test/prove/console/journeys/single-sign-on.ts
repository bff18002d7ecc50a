import { answerBrowsers, oidcProviderSettings } from '../../../harness/oidc-provider.ts';
import { openSamlProvider, samlProviderSettings } from '../../../harness/saml-provider.ts';
import type { Person } from '../person.ts';
import type { Journey } from '../stage.ts';

const page = '/projects/search/features/semantic-ranking';

export const singleSignOn: Journey = {
  title: 'sign in at the identity provider of a company, by SAML and by OpenID Connect',
  async run({ ask, meet, promises, url }) {
    await using provider = await openSamlProvider(url, 'sam@example.com');
    await ask('POST', '/auth/saml/settings', { ...samlProviderSettings, signOnUrl: provider.signOnUrl });
    await ask('POST', '/auth/oidc/settings', await oidcProviderSettings());

    const sam = await meet();
    await sam.until('the service offers both', async () =>
      (await (await fetch(`${url}/api/admin/console/start`)).text()).includes('OpenID'),
    );
    await begin(sam, 'Sign in with SAML');
    await sam.press('Go on');
    await endsAtPage(sam);
    promises.same('SAML signs in', await nameOfReader(), 'sam@example.com');

    const odile = await meet();
    await answerBrowsers({ email: 'odile@example.com' });
    await begin(odile, 'Sign in with OpenID Connect');
    await endsAtPage(odile);

    const refused = await meet();
    await answerBrowsers('access_denied');
    await begin(refused, 'Sign in with OpenID Connect');
    await refused.sees('You could not be signed in');
    await refused.picture('sign-on refused');
    await refused.follow('Sign in again');
    await refused.sees('Sign in to Flagstaff');
    promises.hold('who is refused can begin again', true);

    async function nameOfReader(): Promise<unknown> {
      return sam.evaluate(`fetch('/api/admin/user').then((reply) => reply.json()).then(({ user }) => user.email)`);
    }
  },
};

async function begin(person: Person, button: string): Promise<void> {
  await person.open(page);
  await person.follow(button);
}

async function endsAtPage(person: Person): Promise<void> {
  await person.arrives(/\/features\/semantic-ranking$/);
  await person.sees('About semantic-ranking');
}
