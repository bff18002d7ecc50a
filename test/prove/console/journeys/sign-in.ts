import type { Journey } from '../stage.ts';

export const signInJourney: Journey = {
  title: 'sign out, sign in where one was, and choose a theme',
  async run({ enter, promises, url }) {
    const person = await enter('admin');
    await person.pressInMenu('Sign out');
    await person.sees('Sign in to Flagstaff');
    await person.open('/projects/search/features/semantic-ranking');
    await person.write('User name or e-mail', 'admin');
    await person.write('Password', 'no such password');
    await person.press('Sign in');
    await person.sees('That name and password do not belong together.');
    await person.write('Password', 'Weather-report-22');
    await person.press('Sign in');
    await person.entersNavigation();
    const { pathname } = new URL(person.page.url());
    promises.same('who signs in stays at the address', pathname, '/projects/search/features/semantic-ranking');
    await person.pressInMenu('Switch between light and dark');
    promises.same('a chosen theme is shown', await person.evaluate('document.documentElement.dataset.theme'), 'dark');
    await person.open('/login');
    promises.same('the address to sign in leads to the flags', person.page.url(), `${url}/`);
  },
};
