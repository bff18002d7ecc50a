import type { Browser } from 'puppeteer-core';
import type { Promises } from '../promises.ts';
import { proveRequestedPlan } from './requested-plan.ts';
import { button, dialog, fieldOf, inDialog, item } from './selectors.ts';
import { Visitor } from './visitor.ts';

const password = 'Another-horse-8-battery';
const project = 'guarded';
const flag = 'checkout';
const flags = [flag, 'search', 'basket'];
/** The role that comes with the service for those who approve. */
const approver = 1_000_000_000;

interface Person {
  readonly name: string;
  readonly password: string;
}

/**
 * Proves that three people can have changes approved by the forms of the admin UI: a Viewer asks for them and cannot approve
 * them, another one approves, schedules and applies them and suspends a schedule by a change at once, and an administrator
 * asks for a change of a segment and sees what has become of it all. At the end, a release plan goes its way by requests.
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
    await visitor.signIn(name, secret);
    await visitor.arrives(/^\/(?!login)/);
    return visitor;
  };
  const admin = await enter({ name: 'admin', password: adminPassword });
  const prepared = await prepare(admin);
  const [author, reviewer] = await Promise.all([enter({ name: 'ann', password }), enter({ name: 'bob', password })]);
  const people = { admin, author, reviewer };
  for (const each of [author, reviewer]) {
    each.begin('approval');
    await each.open('/projects');
    await each.press("Got it, let's get started!");
  }
  await applyAtOnce(people, prepared, promises);
  await applyAfterSchedule(people, prepared, promises);
  await applyMany(people, prepared, promises);
  const decide = async (id: number) => {
    await approve(reviewer, id);
    await apply(reviewer);
  };
  await proveRequestedPlan({ admin, author, project, decide }, promises, 5);
  const everybody = [admin, author, reviewer];
  promises.same(
    'nothing fails while people ask for changes and approve them',
    everybody.flatMap(({ wrong }) => wrong),
    [],
  );
  return everybody.reduce((sum, { requests }) => sum + requests, 0);
}

type People = Readonly<Record<'admin' | 'author' | 'reviewer', Visitor>>;
type Prepared = Awaited<ReturnType<typeof prepare>>;

async function applyAtOnce({ admin, author, reviewer }: People, { edit, strategyOf }: Prepared, promises: Promises) {
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

  await approve(reviewer, 1);
  await apply(reviewer);
  const { title } = await strategyOf(admin);
  promises.same('a change is made once somebody else has approved it', title, 'A tenth');
}

async function approve(reviewer: Visitor, id: number): Promise<void> {
  await reviewer.open(`/projects/${project}/change-requests/${id}`);
  await reviewer.pressAt(button('Review changes'));
  await reviewer.pressAt(item('Approve'));
  await reviewer.sees('Changes approved');
  await reviewer.picture('approved');
}

async function apply(reviewer: Visitor): Promise<void> {
  await reviewer.pressAt(button('Apply or schedule changes'));
  await reviewer.pressAt(item('Apply changes'));
  await reviewer.sees('Changes applied');
  await reviewer.picture('applied');
}

/** Chooses a time some days from now in an open dialogue. */
function chooseTime(visitor: Visitor, days: number): Promise<unknown> {
  const time = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
  return visitor.evaluate(`{
    const field = document.querySelector('input[type=datetime-local]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${time}');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }`);
}

async function applyAfterSchedule(
  { admin, author, reviewer }: People,
  { edit, strategyOf }: Prepared,
  promises: Promises,
): Promise<void> {
  await author.open(edit);
  await author.write('#title-input', 'A fifth');
  await author.press('Add change to draft');
  await author.pressAt(button('View changes'));
  await author.pressAt(fieldOf('Reviewers'));
  await author.pressAt('::-p-xpath(//li[@role="option"][contains(., "bob")])');
  await author.picture('reviewers');
  await author.pressAt(button('Submit change request'));
  await approve(reviewer, 2);
  const reviewers = await reviewer.evaluate(`document.querySelectorAll('[title=Approved]').length`);
  promises.same('a reviewer who was asked and has approved is listed once', reviewers, 1);
  await reviewer.pressAt(button('Apply or schedule changes'));
  await reviewer.pressAt(item('Schedule changes'));
  await chooseTime(reviewer, 3);
  await reviewer.pressAt(inDialog('Select the date', 'Schedule changes'));
  await reviewer.sees('Changes are scheduled to be applied on');
  await reviewer.picture('scheduled');

  await reviewer.open(edit);
  await reviewer.write('#title-input', 'At once');
  await reviewer.press('Save strategy');
  await reviewer.pressAt(inDialog('Changing production environment', 'Save strategy'));
  await author.open(`/projects/${project}/change-requests/2`);
  await author.sees('suspended for the following reason: The strategy was updated.');
  await author.picture('suspended');
  const { title: before } = await strategyOf(admin);
  promises.same('who may skip approval changes flags at once, which suspends a schedule', before, 'At once');

  await reviewer.open(`/projects/${project}/change-requests/2`);
  await reviewer.pressAt(button('Apply or schedule changes'));
  await reviewer.pressAt(item('Update schedule'));
  await chooseTime(reviewer, 4);
  await reviewer.pressAt(inDialog('', 'Update scheduled time'));
  await reviewer.sees('Changes are scheduled to be applied on');
  await reviewer.pressAt(button('Apply or schedule changes'));
  await reviewer.pressAt(item('Apply changes'));
  await reviewer.press('Apply changes now');
  await reviewer.sees('Changes applied');
  const { title } = await strategyOf(admin);
  promises.same('a suspended schedule gets another time, and is applied', title, 'A fifth');
  const { events } = (await admin.ask('GET', '/api/admin/search/events?limit=2')) as Events;
  const group = 'change-request-2';
  promises.same(
    'what a request changes has its group in the event log',
    events.map(({ type, groupId }) => [type, groupId]),
    [
      ['change-request-applied', group],
      ['feature-strategy-update', group],
    ],
  );
}

interface Events {
  readonly events: readonly { readonly type: string; readonly groupId: string }[];
}

/** Three flags are switched off together with a change of a segment that somebody else asks for. */
async function applyMany({ admin, author, reviewer }: People, { segment }: Prepared, promises: Promises) {
  await author.open(`/projects/${project}`);
  await author.pressAt('[role=columnheader] input[type=checkbox], thead input[type=checkbox]');
  await author.pressAt(button('Disable'));
  await author.choose(`${dialog} [role=combobox]`, 'production');
  await author.pressAt(inDialog('', 'Add to change request'));
  await author.pressAt(button('View changes (3)'));
  await author.picture('draft-of-three');
  await author.pressAt(button('Submit change request'));

  await admin.open(`/projects/${project}/settings/segments/edit/${segment}`);
  // The form begins anew whenever the segment is read again.
  for (let isNext: unknown = false; isNext !== true; ) {
    await admin.write('::-p-xpath(//p[contains(., "segment description")]/following::input[1])', 'Our own people');
    await admin.pressAt(button('Next'));
    isNext = await admin.evaluate(`document.body.innerText.includes('Step 2 of 2')`);
  }
  await admin.pressAt(button('Add to draft'));
  await admin.open(`/projects/${project}`);
  await admin.pressAt(button('View changes (1)'));
  await admin.picture('draft-of-segment');
  await admin.pressAt(button('Submit change request'));

  for (const id of [3, 4]) {
    await approve(reviewer, id);
    await apply(reviewer);
  }
  const off = await Promise.all(
    flags.map(async (name) => {
      const path = `/api/admin/projects/${project}/features/${name}/environments/production`;
      return ((await admin.ask('GET', path)) as { enabled: boolean }).enabled;
    }),
  );
  promises.same('flags that were chosen in a list are switched off together', off, [false, false, false]);
  const { description } = (await admin.ask('GET', `/api/admin/segments/${segment}`)) as { description: string };
  promises.same('a segment changes by a request', description, 'Our own people');
  for (const each of [admin, author]) {
    await each.open('/change-requests');
    await each.picture('all-requests');
  }
  await admin.open('/history');
  await admin.picture('history');
  await admin.open(`/projects/${project}/settings/change-requests`);
  await admin.picture('configuration');
}

/** Makes a project in which changes in production need approval, with its people, flags and a segment. */
async function prepare(admin: Visitor) {
  const ask = (method: string, path: string, body?: object) => admin.ask(method, `/api/admin/${path}`, body);
  await ask('POST', 'projects', { id: project, name: 'Guarded' });
  const inProduction = (name: string) => `projects/${project}/features/${name}/environments/production`;
  for (const name of flags) {
    await ask('POST', `projects/${project}/features`, { name });
    await ask('POST', `${inProduction(name)}/strategies`, { name: 'flexibleRollout' });
    await ask('POST', `${inProduction(name)}/on`);
  }
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
  const segment = (await ask('POST', 'segments', { name: 'staff', project, constraints })) as { id: number };
  await ask('PUT', `projects/${project}/environments/production/change-requests/config`, {
    changeRequestsEnabled: true,
    requiredApprovals: 1,
  });
  const permissions = ['SKIP_CHANGE_REQUEST', 'UPDATE_FEATURE_STRATEGY'].map((name) => ({
    name,
    environment: 'production',
  }));
  await ask('POST', 'roles', { name: 'Skipper', type: 'custom', description: 'Changes flags at once', permissions });
  const { roles } = (await ask('GET', 'roles')) as { roles: { id: number; name: string }[] };
  const skipper = roles.find(({ name }) => name === 'Skipper')?.id;
  for (const name of ['ann', 'bob']) {
    const body = { username: name, email: `${name}@example.com`, name, rootRole: 3, password, sendEmail: false };
    const user = (await ask('POST', 'user-admin', body)) as { id: number };
    if (name === 'bob') await ask('PUT', `projects/${project}/users/${user.id}/roles`, { roles: [approver, skipper] });
  }
  const [{ id: strategy } = { id: '' }] = (await ask('GET', `${inProduction(flag)}/strategies`)) as { id: string }[];
  return {
    segment: segment.id,
    edit: `/projects/${project}/features/${flag}/strategies/edit?environmentId=production&strategyId=${strategy}`,
    strategyOf: async (visitor: Visitor) =>
      (await visitor.ask('GET', `/api/admin/${inProduction(flag)}/strategies/${strategy}`)) as { title: string },
  };
}
