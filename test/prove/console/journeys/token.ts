import type { Journey } from '../stage.ts';

export const token: Journey = {
  title: 'create a token, use it, and never see it again',
  async run({ enter, promises, url }) {
    const person = await enter('admin');
    await person.open('/tokens');
    await person.follow('New token');
    await person.press(/^In pages/, 'radio');
    await person.press(/^On servers/, 'radio');
    await person.write('Name', 'shop-backend');
    await person.press('Create the token');
    const secret = String(await person.evaluate(`document.querySelector('output').textContent`));
    const { status } = await fetch(`${url}/api/client/features`, { headers: { authorization: secret } });
    promises.same('the token works', status, 200);
    await person.press('I have stored it');
    await person.arrives(/^\/tokens$/);
    await person.sees('shop-backend');
    const isShown = await person.evaluate(`document.documentElement.outerHTML.includes(${JSON.stringify(secret)})`);
    promises.same('a stored token is not in the page', isShown, false);
  },
};
