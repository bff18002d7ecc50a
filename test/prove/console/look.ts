import axe, { type AxeResults } from 'axe-core';
import type { Promises } from '../promises.ts';
import { moreRequests } from './pages.ts';
import type { Person, Theme } from './person.ts';
import { listSmallControls } from './touch.ts';

/** Web Content Accessibility Guidelines at the levels A and AA, and good practice such as headings in order. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The most requests to the API that a page may need. */
const requestsMax = 4;

/** Opens pages, and requires that each is accessible, fits its window, can be used by thumb, and needs few requests. */
export async function lookAt(
  person: Person,
  pages: readonly string[],
  { theme, form }: { readonly theme: Theme; readonly form: string },
  promises: Promises,
): Promise<void> {
  await person.see(theme);
  for (const path of pages) {
    const where = `${path}, ${theme}, ${form}`;
    await person.open(path);
    const most = moreRequests[path.replace(/\?.*/, '')] ?? requestsMax;
    promises.hold(`${where}: needs at most ${most} requests`, person.requests <= most, person.requests);
    promises.same(`${where}: no violation of A or AA`, await violationsOn(person), []);
    const beyond = await person.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    promises.hold(`${where}: does not scroll sideways`, Number(beyond) <= 0, beyond);
    if (form === 'phone') promises.same(`${where}: has room for a finger`, await listSmallControls(person), []);
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
