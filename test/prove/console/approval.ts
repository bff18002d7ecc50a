import type { Browser } from 'puppeteer-core';
import type { Promises } from '../sdks/promises.ts';
import { byId } from './selectors.ts';
import { Visitor } from './visitor.ts';

const password = 'Another-horse-8-battery';
const project = 'guarded';
const flag = 'checkout';
/** The role that comes with the service for those who approve. */
const approver = 1_000_000_000;

interface Person {
  readonly name: string;
  readonly password: string;
}

const button = (text: string) => `::-p-xpath(//button[starts-with(normalize-space(.), "${text}")])`;
const item = (text: string) => `::-p-xpath(//*[@role="menuitem" or self::li][normalize-space(.)="${text}"])`;

/**
 * Proves that three people can have a change approved by the forms of the admin UI: one asks for it and cannot approve it,
 * another one approves and applies it, and an administrator sees what has become of it.
 */
export async function proveApproval(
  browser: Browser,
  url: string,
  adminPassword: string,
  promises: Promises,
  pictures?: string,
): Promise<number> {
  const enter = async ({ name, password: secret }: Person): Promise<Visitor> => {
    const page = await (await browser.createBrowserContext()).newPage();
    const visitor = new Visitor(page, url, pictures === undefined ? undefined : `${pictures}/${name}`);
    visitor.begin('sign in');
    await visitor.open('/login');
    await visitor.write(`${byId('LOGIN_EMAIL_ID')} input`, name);
    await visitor.write(`${byId('LOGIN_PASSWORD_ID')} input`, secret);
    await visitor.pressAt(byId('LOGIN_BUTTON'));
    await visitor.arrives(/^\/(?!login)/);
    return visitor;
  };
  const admin = await enter({ name: 'admin', password: adminPassword });
  const strategy = await prepare(admin);
  const [author, reviewer] = await Promise.all([enter({ name: 'ann', password }), enter({ name: 'bob', password })]);
  const people = [admin, author, reviewer];
  for (const each of [author, reviewer]) {
    each.begin('approval');
    await each.open('/projects');
    await each.press("Got it, let's get started!");
  }

  const edit = `/projects/${project}/features/${flag}/strategies/edit?environmentId=production&strategyId=${strategy}`;
  await author.open(edit);
  await author.write('#title-input', 'A tenth');
  await author.press('Add change to draft');
  await author.sees('Change request mode');
  await author.picture('draft');
  await author.pressAt(button('View changes'));
  await author.picture('changes');
  await author.pressAt(button('Submit change request'));
  await author.open(`/projects/${project}/change-requests`);
  await author.sees('Change request #1');
  await author.picture('requests');
  await author.open(`/projects/${project}/change-requests/1`);
  await author.sees('You can not approve your own change request');
  await author.picture('own-request');

  await reviewer.open(`/projects/${project}/change-requests/1`);
  await reviewer.pressAt(button('Review changes'));
  await reviewer.pressAt(item('Approve'));
  await reviewer.sees('Changes approved');
  await reviewer.picture('approved');
  await reviewer.pressAt(button('Apply or schedule changes'));
  await reviewer.pressAt(item('Apply changes'));
  await reviewer.sees('Changes applied');
  await reviewer.picture('applied');
  const path = `/api/admin/projects/${project}/features/${flag}/environments/production/strategies/${strategy}`;
  const { title } = (await admin.ask('GET', path)) as { title: string };
  promises.same('a change is made once somebody else has approved it', title, 'A tenth');
  await admin.open('/change-requests');
  await admin.picture('all-requests');
  promises.same(
    'nothing fails while people ask for changes and approve them',
    people.flatMap(({ wrong }) => wrong),
    [],
  );
  return people.reduce((sum, { requests }) => sum + requests, 0);
}

/** Makes a project in which changes in production need approval, with its people; returns the id of a strategy there. */
async function prepare(admin: Visitor): Promise<string> {
  const ask = (method: string, path: string, body?: object) => admin.ask(method, `/api/admin/${path}`, body);
  await ask('POST', 'projects', { id: project, name: 'Guarded' });
  await ask('POST', `projects/${project}/features`, { name: flag });
  const inProduction = `projects/${project}/features/${flag}/environments/production`;
  const { id } = (await ask('POST', `${inProduction}/strategies`, { name: 'flexibleRollout' })) as { id: string };
  await ask('PUT', `projects/${project}/environments/production/change-requests/config`, {
    changeRequestsEnabled: true,
    requiredApprovals: 1,
  });
  for (const [name, role] of [
    ['ann', 5],
    ['bob', approver],
  ] as const) {
    const body = { username: name, email: `${name}@example.com`, name, rootRole: 3, password, sendEmail: false };
    const user = (await ask('POST', 'user-admin', body)) as { id: number };
    await ask('PUT', `projects/${project}/users/${user.id}/roles`, { roles: [role] });
  }
  return id;
}
