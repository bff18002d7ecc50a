import { type Journey, people } from '../stage.ts';

const directorySwitch = 'A directory manages people and groups by SCIM';

export const directory: Journey = {
  title: 'let a directory manage people and a group, see what is locked, and give it another token',
  async run({ ask, enter, promises, url }) {
    const person = await enter('admin');
    const shownSecret = async () => String(await person.evaluate(`document.querySelector('output').textContent`));
    await person.open('/sign-in#scim');
    await person.press(directorySwitch, 'switch');
    await person.sees('It is shown only now.');
    const first = await shownSecret();
    await person.press('I have stored it');
    const connect = (token: string) => async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
      return fetch(`${url}/scim${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    };
    const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'dora@example.com' };
    const created = await connect(first)('POST', '/Users', { ...user, displayName: 'Dora Directory' });
    promises.same('the directory creates a person', created.status, 201);
    const { id } = (await created.json()) as { id: string };

    await person.open('/people?q=Dora');
    await person.follow('Dora Directory');
    await person.sees('A directory manages this account by SCIM');
    const reason = await person.refusalOf('New password', 'button');
    promises.hold('a password is refused with the reason', /directory manages/.test(reason ?? ''), reason);
    await person.press('Edit');
    const locked = await person.evaluate(
      `[...document.querySelectorAll('form input')].map(({ readOnly }) => readOnly)`,
    );
    promises.same('name and address are locked', locked, [true, true]);
    await (await person.find('Role', 'combobox')).select('2');
    await person.press('Save');
    await person.sees('Editor');

    // Vera was in the group before, and the directory adds Dora.
    const { users } = (await ask('GET', '/user-admin')) as { users: { id: number; username?: string }[] };
    const vera = users.find(({ username }) => username === people.viewer)?.id;
    const group = (await ask('POST', '/groups', { name: 'Payments', users: [{ user: { id: vera } }] })) as {
      id: number;
    };
    const sent = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Payments' };
    const linked = await connect(first)('POST', '/Groups', { ...sent, members: [{ value: id }] });
    promises.same('the directory fills the group', linked.status, 201);
    await person.open(`/people/groups/${group.id}`);
    await person.sees('Dora Directory');
    promises.same('whom the directory has added stays', await person.has(/^Dora/, 'checkbox'), false);
    await person.press(/^Vera/, 'checkbox');
    await person.press('Save');
    await person.sees('Payments is saved');
    const { users: left } = (await ask('GET', `/groups/${group.id}`)) as { users: { user: { name?: string } }[] };
    promises.same(
      'an Admin removes whom it has not added',
      left.map(({ user }) => user.name),
      ['Dora Directory'],
    );

    await person.open('/sign-in#scim');
    await person.press('New token');
    await person.press('Make a new token');
    await person.sees('It is shown only now.');
    const second = await shownSecret();
    promises.same('the token before it has ended', (await connect(first)('GET', '/Users')).status, 401);
    const Operations = [{ op: 'replace', path: 'active', value: false }];
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    const deactivated = await connect(second)('PATCH', `/Users/${id}`, { schemas, Operations });
    promises.same('the new token works', deactivated.ok, true);
    await person.press('I have stored it');

    await person.open('/people?q=Dora');
    await person.sees('Deactivated');
    await person.open('/sign-in#scim');
    await person.press(directorySwitch, 'switch');
    await person.press('Switch it off');
    await person.sees('The directory manages nothing any more');
    promises.same('a directory that is switched off is refused', (await connect(second)('GET', '/Users')).status, 401);
  },
};
