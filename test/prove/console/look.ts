import axe, { type AxeResults } from 'axe-core';
import { secondsSince } from '../options.ts';
import type { Promises } from '../promises.ts';
import { moreRequests, openPages, pages } from './pages.ts';
import { Person, type Theme } from './person.ts';
import { openServer, type PartOptions, password, people } from './stage.ts';
import { listSmallControls } from './touch.ts';

/** Web Content Accessibility Guidelines at the levels A and AA, and good practice such as headings in order. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Tells in the page whether the entry of the page in the navigation, if it has one, is not scrolled away. */
const isCurrentSeen = `(() => {
  const list = document.querySelector('.nav-list');
  const entry = list?.querySelector('[aria-current]');
  if (!entry) return true;
  const [outer, inner] = [list, entry].map((each) => each.getBoundingClientRect());
  return outer.top <= inner.top && inner.bottom <= outer.bottom;
})()`;

/** The most requests to the API that a page may need. */
const requestsMax = 4;

/** Opens every page in each theme, at a desk and on a phone. */
export async function proveLooks({ browser, pictures, promises, quick }: PartOptions): Promise<void> {
  await using server = await openServer();
  const themes: readonly Theme[] = quick ? ['light'] : ['light', 'dark'];
  for (const [form, hands] of Object.entries({ desktop: 'mouse', phone: 'touch' } as const)) {
    const begun = performance.now();
    await using stranger = await Person.open(browser, { url: server.url, pictures, hands });
    await using admin = await Person.open(browser, { url: server.url, pictures, hands });
    await admin.signIn(people.admin, password);
    for (const theme of themes) {
      await lookAt(stranger, openPages, { theme, form: `${form} signed out` }, promises);
      await lookAt(admin, pages, { theme, form }, promises);
    }
    promises.same(`${form}: no page fails`, [...stranger.problems, ...admin.problems], []);
    console.log(`The pages on a ${form}: ${secondsSince(begun)}`);
  }
}

/**
 * Opens pages, and requires that each is accessible, fits its window, can be used by thumb, and needs few requests.
 * @param also looks at something else on each of them.
 */
export async function lookAt(
  person: Person,
  pages: readonly string[],
  { theme, form }: { readonly theme: Theme; readonly form: string },
  promises: Promises,
  also: (path: string) => Promise<void> = async () => {},
): Promise<void> {
  await person.see(theme);
  for (const path of pages) {
    const where = `${path}, ${theme}, ${form}`;
    await person.open(path);
    const most = moreRequests.find(([pattern]) => pattern.test(path))?.[1] ?? requestsMax;
    promises.hold(`${where}: needs at most ${most} requests`, person.requests <= most, person.requests);
    promises.same(`${where}: no violation of A or AA`, await violationsOn(person), []);
    const beyond = await person.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    promises.hold(`${where}: does not scroll sideways`, Number(beyond) <= 0, beyond);
    if (form === 'desktop')
      promises.hold(`${where}: is seen in the navigation`, (await person.evaluate(isCurrentSeen)) === true);
    if (form === 'phone') promises.same(`${where}: has room for a finger`, await listSmallControls(person), []);
    await also(path);
    await person.picture(`${form} ${theme} ${path}`);
  }
}

/** Returns the violations of a page that axe-core finds, with the first element of each. */
async function violationsOn(person: Person): Promise<string[]> {
  await person.evaluate(axe.source);
  const run = `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(rules)} }, resultTypes: ['violations'] })`;
  const { violations } = (await person.evaluate(run)) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.length} times, as in ${nodes[0]?.html.slice(0, 160)}`);
}
