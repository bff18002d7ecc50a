import { markup, markupTraces } from '../../marked-things.ts';
import { secondsSince } from '../../options.ts';
import { lookAt } from '../look.ts';
import { Person } from '../person.ts';
import { type Ask, openServer, type PartOptions, password, people } from '../stage.ts';
import { createHostileTeam } from './create-team.ts';
import { Secrets } from './secrets.ts';

/** Links that would run a script or leave the web. A banner may lead to a mail address, too. */
const otherLinks = `[...document.querySelectorAll('a[href]')].map(({ href }) => href).filter((href) => !/^(https?|mailto):/.test(href))`;

/** Opens every page in a service full of hostile names, with secrets of every kind. */
export async function proveHostile({ browser, pictures, promises, quick }: PartOptions): Promise<void> {
  await using server = await openServer();
  const { url, ask } = server;
  const secrets = new Secrets();
  secrets.add(server.token);
  const team = await createHostileTeam(url, secrets);
  promises.same('links to scripts are refused', await acceptedLinks(ask), []);
  const { quiet, telling } = listPages(team);
  for (const hands of quick ? (['touch'] as const) : (['touch', 'mouse'] as const)) {
    const form = hands === 'touch' ? 'phone' : 'desktop';
    const begun = performance.now();
    await using person = await Person.open(browser, { url, pictures, hands });
    secrets.watch(person.page);
    await person.signIn(people.admin, password);
    for (const { value } of await person.page.cookies()) secrets.add(value);
    const check = async (path: string, isTelling: boolean) => {
      const found = await person.evaluate(markupTraces);
      promises.same(`${path}, ${form}: names run and draw nothing`, found, 0);
      promises.same(`${path}, ${form}: links lead to the web`, await person.evaluate(otherLinks), []);
      const text = String(await person.evaluate('document.body.innerText'));
      promises.hold(`${path}, ${form}: names are text`, !isTelling || text.includes(markup), text.slice(0, 300));
      await secrets.searchPage(person.page);
    };
    const look = { theme: 'light', form: `hostile ${form}` } as const;
    await lookAt(person, telling, look, promises, (path) => check(path, true));
    await lookAt(person, quiet, look, promises, (path) => check(path, false));
    promises.same(`${form}: no page of a hostile team fails`, person.problems, []);
    console.log(`The pages of a hostile team on a ${form}: ${secondsSince(begun)}`);
  }
  promises.hold('there are secrets of every kind', secrets.count >= 9, secrets.count);
  promises.same('no page and no answer contains a secret', secrets.found, []);
}

/** Pages by whether they show a hostile name besides the banner. */
function listPages(team: Awaited<ReturnType<typeof createHostileTeam>>) {
  const flag = '/projects/marked/features/marked';
  const edit = `${flag}/strategies/create?environmentId=development`;
  const telling = [
    ...['/', '/projects', '/projects/marked', flag, `/projects/marked/change-requests/${team.request}`],
    ...['/reviews', '/events', '/segments', `/segments/edit/${team.segment}`, '/context', '/context/edit/marked'],
    ...['/tag-types', '/environments', '/applications', `/applications/${encodeURIComponent(team.application)}`],
    ...['/integrations', `/integrations/${team.addon}`, `/integrations/edit/${team.addon}`],
    ...['/settings#banners', '/tokens', '/tokens#yours', '/tokens#service-accounts'],
    ...['/people', '/people#groups', '/people#roles', '/people#invitations', `/people/${team.person}`],
    ...[`/people/groups/${team.group}`, `/people/roles/${team.role}`],
  ];
  const quiet = [
    ...[`${flag}#why`, edit, '/projects/marked?create=true', '/now', '/archive', '/playground', '/move', '/me'],
    ...['', '#access', '#environments', '#rules', '#naming', '#tokens'].map((tab) => `/projects/marked/settings${tab}`),
    ...['/projects/marked/features/__proto__', '/projects/marked/features/constructor', '/sign-in', '/settings'],
    `/projects/marked/features/n-${'a'.repeat(98)}`,
  ];
  return { telling, quiet };
}

/** Returns the addresses of scripts that the API accepts where pages have a link. */
async function acceptedLinks(ask: Ask): Promise<string[]> {
  const accepted: string[] = [];
  for (const address of ['javascript:ran=1', 'JavaScript:ran=1', 'java\nscript:ran=1', 'data:text/html,x']) {
    const places: readonly (readonly [path: string, body: object])[] = [
      ['/projects/marked/features/marked/link', { url: address }],
      ['/banners', { message: 'm', link: address }],
      ['/metrics/applications/some', { url: address }],
    ];
    for (const [path, body] of places) {
      const isAccepted = await ask('POST', path, body).then(
        () => true,
        () => false,
      );
      if (isAccepted) accepted.push(`${path}: ${address}`);
    }
  }
  return accepted;
}
