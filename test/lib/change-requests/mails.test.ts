import { describe, expect, onTestFinished, vi } from 'vitest';
import * as changeRequestKeys from '../../../lib/change-requests/keys.ts';
import { sendWaitingMails } from '../../../lib/change-requests/mails/mails.ts';
import { applyDue } from '../../../lib/change-requests/schedules/schedule.ts';
import { isAnythingWaiting } from '../../../lib/clock/clock.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { createProtectedProject } from '../../harness/change-requests.ts';
import type { Service } from '../../harness/service.ts';
import { openSes } from '../../harness/ses.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

/** Creates people with addresses in a project in which changes need approval, and records their mails. */
async function createMailedTeam(service: Service, world: World) {
  await using stack = new AsyncDisposableStack();
  const ses = stack.use(await openSes());
  const variables = { ...ses.environment, PUBLIC_URL: 'https://flags.example.com' };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const closing = stack.move();
  onTestFinished(() => closing.disposeAsync());
  const { projectId, environment, role } = await createProtectedProject(world);
  const project = `/api/admin/projects/${projectId}`;
  const { name: feature } = await world.feature({ project: projectId, environment });
  const person = async (roles: readonly number[]) => {
    const user = await world.user();
    const email = `${user.username}@example.com`;
    await service.put(`/api/admin/user-admin/${user.id}`, { email });
    if (roles.length > 0) await service.put(`${project}/users/${user.id}/roles`, { roles });
    return { ...user, email, token: (await world.pat(user)).secret };
  };
  const [author, reviewer, another] = [await person([5]), await person([role]), await person([role])];
  const outsider = await person([]);
  const bring = (id: number, state: string, { token }: { token: string }, more: object = {}) =>
    service.put(`${project}/change-requests/${id}/state`, { state, ...more }, { token });
  const made = async () => {
    const changes = { feature, action: 'updateEnabled', payload: { enabled: true } };
    const path = `${project}/environments/${environment}/change-requests`;
    return (await service.post(path, changes, { token: author.token })).body.id as number;
  };
  return {
    ...{ project, projectId, environment, feature, author, reviewer, another, outsider, bring, made },
    ask: (id: number, people: readonly { id: number }[]) =>
      service.put(
        `${project}/change-requests/${id}/approvers`,
        { reviewers: people.map((each) => each.id) },
        { token: author.token },
      ),
    /** Sends the waiting mails, and returns their recipients and texts. */
    async sent() {
      const before = ses.mails.length;
      await sendWaitingMails(anotherProcess(service.table));
      return ses.mails.slice(before).map(({ to, text }) => ({ to, text }));
    },
    /** Creates a request that its reviewer has scheduled. */
    async scheduled() {
      const id = await made();
      await bring(id, 'In review', author);
      await bring(id, 'Approved', reviewer);
      const scheduledAt = new Date(Date.now() + 60_000).toISOString();
      await bring(id, 'Scheduled', reviewer, { scheduledAt });
      return { id, due: new Date(Date.parse(scheduledAt) + 1) };
    },
  };
}

describe('A mail about a change request', () => {
  test('goes once to each reviewer who can approve', async ({ service, world }) => {
    const { author, reviewer, another, outsider, made, ask, bring, sent, projectId } = await createMailedTeam(
      service,
      world,
    );
    const id = await made();
    await ask(id, [reviewer]);
    expect(await sent()).toEqual([]);
    await bring(id, 'In review', author);
    const text = expect.stringContaining(`https://flags.example.com/projects/${projectId}/change-requests/${id}`);
    expect(await sent()).toEqual([{ to: reviewer.email, text }]);
    await ask(id, [reviewer, another, outsider]);
    expect(await sent()).toEqual([{ to: another.email, text }]);
    await ask(id, [reviewer]);
    await ask(id, [reviewer, another]);
    expect(await sent()).toEqual([]);
  });

  test('is sent once by several processes, and not to people from whom its project is hidden', async ({
    service,
    world,
  }) => {
    const { author, reviewer, outsider, made, ask, bring, sent, project } = await createMailedTeam(service, world);
    const id = await made();
    await ask(id, [reviewer, outsider]);
    await bring(id, 'In review', author);
    expect(await service.put(`${project}/settings`, { mode: 'private' })).toMatchObject({ status: 200 });
    const [first, second] = await Promise.all([sent(), sendWaitingMails(service.table)]);
    expect(second).toBe(true);
    expect(first.map(({ to }) => to)).not.toContain(outsider.email);
    expect(await sent()).toEqual([]);
    await service.put(`${project}/settings`, { mode: 'open' });
  });

  test('informs the author and the scheduler of an applied, failed or suspended schedule', async ({
    service,
    world,
  }) => {
    const { author, reviewer, feature, project, environment, scheduled, sent } = await createMailedTeam(service, world);
    const both = [author.email, reviewer.email].toSorted();
    const told = async (words: string) => {
      const mails = await sent();
      expect(mails.map(({ to }) => to).toSorted()).toEqual(both);
      for (const { text } of mails) expect(text).toContain(words);
    };
    const { due } = await scheduled();
    await applyDue(service.table, due);
    await told('was applied at its scheduled time');

    await service.post(`${project}/features/${feature}/environments/${environment}/off`, undefined);
    await scheduled();
    await service.post(`${project}/features/${feature}/environments/${environment}/on`, undefined);
    await told('The feature was switched on or off.');

    await service.post(`${project}/features/${feature}/environments/${environment}/off`, undefined);
    const next = await scheduled();
    await service.put(`${project}/users/${reviewer.id}/roles`, { roles: [5] });
    await applyDue(anotherProcess(service.table), next.due);
    await told('may no longer apply it');
  });

  test('informs all other approvers of an override', async ({ service, world }) => {
    const { project, environment, reviewer, outsider, sent } = await createMailedTeam(service, world);
    const start = { reason: 'Orders fail\n\nBcc: everybody', minutes: 5 };
    const path = `${project}/environments/${environment}/change-requests/override`;
    await service.put(`${project}/users/${outsider.id}/roles`, { roles: [(await createProtectedProject(world)).role] });
    await service.post(path, start, { token: outsider.token });
    const mails = await sent();
    expect(mails.map(({ to }) => to)).toContain(reviewer.email);
    expect(mails.map(({ to }) => to)).not.toContain(outsider.email);
    expect(mails[0]?.text).toContain('Orders fail Bcc: everybody');
  });

  test('is one of at most 100 per person and day, of which the last one mentions the limit', async ({
    service,
    world,
  }) => {
    const { author, reviewer, another, made, bring, sent } = await createMailedTeam(service, world);
    const id = await made();
    await bring(id, 'In review', author);
    const wait = async (count: number, to: readonly { id: number }[]) => {
      const mail = JSON.stringify({ id, occasion: 'review', to: to.map((each) => each.id) });
      const puts = Array.from({ length: count }, (_, index) => ({
        ...{ put: changeRequestKeys.mail(id, index + 2, 'review'), item: { mail } },
      }));
      for (let first = 0; first < count; first += 50)
        await transact(service.table, puts.slice(first, first + 50), undefined);
    };
    await wait(102, [reviewer]);
    const all = await sent();
    expect(all.map(({ to }) => to)).toEqual(Array(100).fill(reviewer.email));
    const last = all.map(({ text }) => text.includes('the last of the 100 mails'));
    expect([last.indexOf(true), last.lastIndexOf(true)]).toEqual([99, 99]);
    await wait(1, [reviewer, another]);
    expect(await sent()).toMatchObject([{ to: another.email }]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_401_000 });
    onTestFinished(() => void vi.useRealTimers());
    await wait(1, [reviewer]);
    expect(await sent()).toMatchObject([{ to: reviewer.email }]);
  });

  test('is not sent after a day', async ({ service, world }) => {
    const { author, reviewer, made, ask, bring, sent } = await createMailedTeam(service, world);
    const id = await made();
    await ask(id, [reviewer]);
    await bring(id, 'In review', author);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_402_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await sent()).toEqual([]);
  });

  test('waits for a process with a mail sender if there is none', async ({ service, world }) => {
    const { author, reviewer, made, ask, bring, sent } = await createMailedTeam(service, world);
    vi.stubEnv('EMAIL_SENDER', '');
    const id = await made();
    await bring(id, 'In review', author);
    await ask(id, [reviewer]);
    expect(await sent()).toEqual([]);
    expect(await isAnythingWaiting(service.table)).toBe(false);
    vi.stubEnv('EMAIL_SENDER', 'flags@example.com');
    expect(await isAnythingWaiting(service.table)).toBe(true);
    expect(await sent()).toMatchObject([{ to: reviewer.email }]);
  });
});
