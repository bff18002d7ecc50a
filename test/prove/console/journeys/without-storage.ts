import { type Journey, password, people } from '../stage.ts';

/** Refuses the storages, as a browser does to a site that may keep nothing. */
const deny = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });`;

export const withoutStorage: Journey = {
  title: 'work in a browser that keeps nothing for the console',
  async run({ meet, promises }) {
    const person = await meet();
    await person.page.evaluateOnNewDocument(deny);
    await person.signIn(people.author, password);
    await person.pressInMenu('Switch between light and dark');
    promises.same('a chosen theme is shown', await person.evaluate('document.documentElement.dataset.theme'), 'dark');
    await person.open('/projects/search?create=true');
    await person.write('Name', 'synonyms');
    await person.press('Create flag');
    await person.arrives(/\/features\/synonyms$/);
    await person.pressInMenu('Sign out');
    await person.sees('Sign in to Flagstaff');
  },
};
