import type { Person } from '../person.ts';
import { type Journey, password } from '../stage.ts';

export const invitation: Journey = {
  title: 'invite somebody, who chooses a password, and another one by a link',
  async run({ enter, meet, promises }) {
    const admin = await enter('admin');
    await admin.open('/people');
    await admin.follow('Invite somebody');
    await admin.write('Name', 'Zoe');
    await admin.write('E-mail', 'zoe@example.com');
    await admin.press('Invite');
    const link = await linkShownTo(admin);
    await admin.press('Done');
    const zoe = await meet();
    await choosePassword(zoe, link, password);

    await admin.follow('Zoe');
    await admin.press('New password');
    const other = await linkShownTo(admin);
    const another = await meet();
    await choosePassword(another, other, `${password}-again`);
    await zoe.open('/');
    await zoe.sees('Sign in to Flagstaff');
    promises.hold('a new password ends the sessions of the old one', true);
  },
};

async function linkShownTo(person: Person): Promise<string> {
  const { pathname, search } = new URL(String(await person.evaluate(`document.querySelector('output').textContent`)));
  return pathname + search;
}

async function choosePassword(person: Person, link: string, text: string): Promise<void> {
  await person.open(link);
  await person.write('New password', text);
  await person.press('Choose this password');
  await person.arrives(/^\/$/);
  await person.entersNavigation();
}
