import { type Journey, password, people } from '../stage.ts';

/** Everything that a browser keeps for a site. */
const kept = `(async () => ({
  ofBrowser: { ...localStorage },
  ofTab: { ...sessionStorage },
  cookies: document.cookie,
  caches: await caches.keys(),
  databases: await indexedDB.databases(),
}))()`;

export const signOutJourney: Journey = {
  title: 'sign out, and leave nothing behind',
  async run({ enter, promises }) {
    const page = '/projects/search/features/semantic-ranking';
    const person = await enter('admin');
    await person.pressInMenu('Switch between light and dark');
    await person.open(page);
    await person.open('/projects/search/features/index-failover');
    const tab = await person.openTab(page);

    await person.comeBack();
    await person.pressInMenu('Sign out');
    await person.sees('Sign in to Flagstaff');
    await tab.comeBack();
    await tab.sees('Sign in to Flagstaff');
    promises.hold('the other tab signs out, too', true);
    promises.same('it stays at its address', new URL(tab.page.url()).pathname, page);
    for (const each of [person, tab]) {
      const nothing = { ofTab: {}, cookies: '', caches: [], databases: [] };
      promises.same('nothing is kept but the theme', await each.evaluate(kept), {
        ofBrowser: { theme: 'dark' },
        ...nothing,
      });
    }
    promises.same('no cookie is left', await person.page.cookies(), []);
    promises.same('nothing fails in the other tab', tab.problems, []);
    await person.comeBack();
    await person.back();
    await person.sees('Sign in to Flagstaff');
    const text = await person.evaluate('document.documentElement.outerHTML');
    promises.hold('going back shows nothing', !String(text).includes('About index-failover'), text);
    await person.signIn(people.viewer, password);
    promises.same(
      'the screen keeps its theme',
      await person.evaluate('document.documentElement.dataset.theme'),
      'dark',
    );
  },
};
