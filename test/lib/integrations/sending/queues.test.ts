import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { identityTrustMs } from '../../../../lib/identity/identity-memory.ts';
import { runMigration } from '../../../../lib/imports/migration/run.ts';
import { readSource } from '../../../../lib/imports/migration/source.ts';
import { readSeed } from '../../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../../lib/imports/seed/seed-store.ts';
import { addons } from '../../../../lib/integrations/addons.ts';
import type { DeliveryRecord } from '../../../../lib/integrations/sending/delivery-records.ts';
import * as sendingKeys from '../../../../lib/integrations/sending/keys.ts';
import { loadPlan } from '../../../../lib/integrations/sending/plan.ts';
import { changeItem } from '../../../../lib/store/change-item.ts';
import type { Key } from '../../../../lib/store/client/definition.ts';
import type { Attributes } from '../../../../lib/store/item.ts';
import { queryAll, readItem } from '../../../../lib/store/read.ts';
import { transact } from '../../../../lib/store/transactions/transact.ts';
import type { Write } from '../../../../lib/store/transactions/write.ts';
import unleash76 from '../../../fixtures/unleash-7.6-server.json' with { type: 'json' };
import { addFeatures, featureEventsOf, paths } from '../../../harness/features.ts';
import { freshService } from '../../../harness/service.ts';
import { beforeRequests, recordStoreRequests } from '../../../harness/store-requests.ts';
import { World } from '../../../harness/world.ts';
import { serviceForEach } from '../../../specifications/specify.ts';
import { getAmong } from '../../imports/migration/enterprise-source.ts';
import { getFrom } from '../../imports/migration/filled-source.ts';
import { Receiver } from './receiver.ts';
import { TestSender } from './sender.ts';

// Time stands still but for what a test moves.
beforeEach(() => void vi.setSystemTime('2026-03-02T10:00:00Z'));
const service = serviceForEach();
let receiver: Receiver;
let sending: TestSender;

beforeEach(async () => {
  receiver = await Receiver.start();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  vi.stubEnv('INTEGRATION_ALLOWED_HOSTS', '127.0.0.1');
  sending = await new TestSender(service.table).begin();
});

afterEach(() => {
  vi.useRealTimers();
});

const types = ['feature-created', 'feature-environment-enabled', 'feature-environment-disabled', 'feature-archived'];

async function addAddon(more: object = {}): Promise<number> {
  const { body } = await service.post('/api/admin/addons', {
    ...{ provider: 'webhook', enabled: true, parameters: { url: receiver.url }, events: types },
    ...more,
  });
  sending.lose();
  return body.id;
}

const failing = () => {
  receiver.answer = () => ({ status: 500 });
};
const mended = () => {
  receiver.answer = () => ({ status: 200 });
};
const turn = (name: string, to: 'on' | 'off') => service.post(paths.switch(name, to));
/** Makes changes and announces them. */
const created = (names: readonly string[]) => addFeatures(service, names).then(() => sending.notify());
const turned = (name: string, to: 'on' | 'off') => turn(name, to).then(() => sending.notify());
const saveAddon = (id: number, changed: object) =>
  service.put(`/api/admin/addons/${id}`, { provider: 'webhook', enabled: true, events: types, ...changed });
const received = () => receiver.events.map(({ featureName, type }) => `${featureName} ${type.split('-').at(-1)}`);
const moveClock = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const sentOf = (id: number) => queryAll<DeliveryRecord>(service.table, sendingKeys.sentEvents(id));
const queuesIn = (id: number) => queryAll<{ sk: string }>(service.table, sendingKeys.queues(id));

describe('A change', () => {
  test('is sent as it was committed to each integration with matching filters, and recorded', async () => {
    const id = await addAddon();
    await addAddon({ events: ['feature-archived'] });
    await addAddon({ enabled: false });
    await created(['a']);
    const [event] = await featureEventsOf(service, 'a');
    expect(receiver.events).toEqual([{ ...event, groupType: 'transaction', groupId: String(event?.id) }]);
    const [sent, ...others] = await sentOf(id);
    expect(others).toEqual([]);
    expect(sent).toMatchObject({ eventId: event?.id, state: 'success', stateDetails: 'Delivered.' });
    expect(JSON.parse(sent?.attempts ?? '')).toMatchObject([{ reason: '' }]);
    expect(sending.lines).toMatchObject([{ level: 'INFO', integration: id, eventId: event?.id, outcome: 'taken' }]);
  });

  test('is not sent by an integration that was enabled after it', async () => {
    await addFeatures(service, ['a']);
    vi.setSystemTime(Date.now() + 1);
    await addAddon();
    await turn('a', 'on');
    await sending.scan();
    expect(received()).toEqual(['a enabled']);
  });

  test('is not sent by an integration that a seed or a migration added after it', async () => {
    await addFeatures(service, ['a']);
    const addon = { provider: 'webhook', enabled: true, parameters: { url: receiver.url }, events: types };
    vi.setSystemTime('2026-03-02T12:00:00Z');
    await seedStore(service.table, readSeed({ addons: [{ ...addon, description: 'seeded' }] }));
    const source = await readSource(getAmong({ ...unleash76, '/api/admin/addons': { addons: [addon] } }));
    await runMigration(service.table, source, { from: 'https://unleash.example.com/', isWriting: true });
    await sending.scan();
    expect(received()).toEqual([]);
    await turn('a', 'on');
    await sending.scan();
    expect(received()).toEqual(['a enabled', 'a enabled']);
  });

  test('of an imported history is not sent again', async () => {
    await addAddon();
    const other = await freshService();
    await addFeatures(other, ['a']);
    const source = await readSource(getFrom(other));
    vi.stubEnv('TABLE_NAME', service.table.store.name);
    await runMigration(service.table, source, { from: 'https://unleash.example.com/', isWriting: true });
    await sending.notify();
    await sending.scan();
    expect(received()).toEqual([]);
    await turned('a', 'on');
    expect(received()).toEqual(['a enabled']);
  });

  test('has one id in all its messages, which no other change has', async () => {
    await addAddon();
    await addAddon();
    await addFeatures(service, ['a']);
    await turned('a', 'on');
    const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^ev_[\w-]{8}_\d+_[0-9a-z]+$/.test(id))).toBe(true);
  });

  test('costs its request nothing more if integrations send it', async () => {
    await addFeatures(service, ['a', 'b']);
    const costOf = async (name: string) => {
      const requests = await recordStoreRequests(service.table, () => turn(name, 'on'));
      return requests.map(({ command, units }) => `${command} ${units}`);
    };
    const without = await costOf('a');
    await addAddon();
    expect(await costOf('b')).toEqual(without);
  });
});

describe('A receiver that fails', () => {
  test('is retried by the schedule, and gets everything in order when it works again', async () => {
    const id = await addAddon();
    failing();
    await created(['a']);
    await turned('a', 'on');
    expect(received()).toEqual(['a created']);
    const [failed] = await sentOf(id);
    expect(failed).toMatchObject({
      state: 'failed',
      stateDetails: expect.stringMatching(/^Attempt 1 failed: status code 500; next at /),
    });
    await sending.pass(8);
    expect(received()).toHaveLength(4);
    mended();
    await sending.pass(20);
    expect(received().slice(4)).toEqual(['a created', 'a enabled']);
    expect((await sentOf(id)).map(({ state }) => state)).toEqual(['success', 'success']);
    expect(JSON.parse((await sentOf(id))[0]?.attempts ?? '')).toHaveLength(5);
    await sending.pass(1);
    expect((await queuesIn(id)).map(({ sk }) => sk)).toEqual(['LANE#F#a']);
    expect(await readItem(service.table, sendingKeys.receiverState(id))).toBeUndefined();
  });

  test('is retried once after a second if the connection is lost', async () => {
    await addAddon();
    let count = 0;
    receiver.answer = () => {
      count += 1;
      return { status: count === 1 ? 503 : 200 };
    };
    await created(['a']);
    expect(received()).toEqual(['a created', 'a created']);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id']);
  });

  test('gets only trial requests when three features wait', async () => {
    await addAddon();
    failing();
    await created(['a', 'b', 'c']);
    const first = received().length;
    // A lost connection is tried again at once, which a busy machine can cause.
    expect(new Set(received())).toEqual(new Set(['a created', 'b created', 'c created']));
    await created(['d', 'e']);
    expect(received()).toHaveLength(first);
    await sending.pass(30);
    // The pauses are 1, 2, 4, 8 and 16 minutes.
    expect(received().length - first).toBeLessThanOrEqual(5);
    mended();
    await sending.pass(35);
    expect(new Set(received().slice(-5))).toEqual(new Set(['a', 'b', 'c', 'd', 'e'].map((name) => `${name} created`)));
  });

  test('is found to work again even if it always refuses the event that has waited longest', async () => {
    await addAddon();
    failing();
    await created(['a']);
    sending.clock.move(30_000);
    await created(['b', 'c']);
    await sending.pass(20);
    const before = received().length;
    receiver.answer = ({ body }) => ({ status: JSON.parse(body).featureName === 'a' ? 500 : 200 });
    await sending.pass(60);
    expect(received().slice(before)).toEqual(expect.arrayContaining(['b created', 'c created']));
  });

  test('delays no other feature by an event that it does not accept', async () => {
    const id = await addAddon();
    receiver.answer = ({ body }) => ({ status: JSON.parse(body).featureName === 'bad' ? 500 : 200 });
    await created(['bad']);
    await turned('bad', 'on');
    for (let round = 0; round < 12; round += 1) {
      await created([`good-${round}`]);
      await sending.pass(5);
    }
    expect(received().filter((sent) => sent.startsWith('good'))).toHaveLength(12);
    expect((await sentOf(id))[0]?.stateDetails).toMatch(/^Attempt 6 failed: status code 500; next at /);
    expect(received()).not.toContain('bad enabled');
  });

  test('does not get an event that it always refuses, which is given up at last, but gets the events behind it', async () => {
    const id = await addAddon();
    receiver.answer = ({ body }) => ({ status: JSON.parse(body).type === 'feature-created' ? 500 : 200 });
    await created(['a']);
    await turned('a', 'on');
    for (let hour = 0; hour < 74; hour += 1) {
      sending.clock.move(59 * 60_000);
      await sending.pass(1);
    }
    expect(received().at(-1)).toBe('a enabled');
    expect((await sentOf(id)).map(({ state }) => state)).toEqual(['failed', 'success']);
    expect((await queuesIn(id)).map(({ sk }) => sk)).toEqual(['LANE#F#a']);
  });

  test('gets two hours for an event behind one that it always refuses, even after 72 hours', async () => {
    const id = await addAddon();
    failing();
    await created(['a']);
    await turned('a', 'on');
    for (let hour = 0; hour < 72; hour += 1) {
      sending.clock.move(59 * 60_000);
      await sending.pass(1);
    }
    await sending.pass(10);
    expect(received().at(-1)).toBe('a enabled');
    mended();
    await sending.pass(60);
    expect((await sentOf(id)).map(({ state }) => state)).toEqual(['failed', 'success']);
  });

  test('refuses an event for good, which is given up and delays nothing', async () => {
    const id = await addAddon();
    receiver.answer = ({ body }) => ({ status: JSON.parse(body).type === 'feature-created' ? 400 : 200 });
    await addFeatures(service, ['a']);
    await turned('a', 'on');
    expect(received()).toEqual(['a created', 'a enabled']);
    expect((await sentOf(id)).map(({ state }) => state)).toEqual(['failed', 'success']);
    expect(sending.lines.map(({ level }) => level)).toEqual(['ERROR', 'INFO']);
  });

  test.each([400, 410, 500])(
    'answers %i with a text that is cut within a character, and the record shows it',
    async (status) => {
      const id = await addAddon();
      receiver.answer = () => ({ status, body: `${'x'.repeat(238)}🙂` });
      await created(['a']);
      expect(await sentOf(id)).toMatchObject([{ state: 'failed', stateDetails: expect.stringContaining('xxx') }]);
    },
  );

  test('gets nothing until the next day after all requests of a day', async () => {
    vi.stubEnv('INTEGRATION_DAILY_LIMIT', '3');
    const id = await addAddon();
    await created(['a', 'b', 'c', 'd', 'e']);
    expect(received()).toHaveLength(3);
    expect((await sentOf(id)).map(({ state }) => state)).toContain('failed');
    expect(sending.lines.map(({ outcome }) => outcome)).toContain('held back');
    await sending.pass(120);
    expect(received()).toHaveLength(3);
    vi.stubEnv('INTEGRATION_DAILY_LIMIT', '');
    sending.clock.move(22 * 3_600_000);
    await sending.pass(2);
    expect(received().toSorted()).toEqual(['a created', 'b created', 'c created', 'd created', 'e created']);
  });

  test('gets nothing before the end of the pause that it asks for', async () => {
    await addAddon();
    receiver.answer = () => ({ status: 429, headers: { 'retry-after': '300' } });
    await created(['a']);
    await created(['b']);
    await sending.pass(4);
    expect(received()).toEqual(['a created']);
    mended();
    await sending.pass(3);
    expect(received().toSorted()).toEqual(['a created', 'a created', 'b created']);
  });

  test('that asks for a pause of a few seconds gets the next request after it', async () => {
    const id = await addAddon();
    const times: number[] = [];
    receiver.answer = () => ({
      status: times.push(sending.clock.now()) === 1 ? 429 : 200,
      headers: { 'retry-after': '7' },
    });
    await created(['a']);
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 7_000]);
    expect(await sentOf(id)).toMatchObject([{ state: 'success' }]);
  });

  test('that answers 410 gets nothing until the integration is saved, and then everything', async () => {
    const id = await addAddon();
    receiver.answer = () => ({ status: 410 });
    await created(['a']);
    await created(['b']);
    await sending.pass(60);
    expect(received()).toEqual(['a created']);
    expect((await sentOf(id))[0]?.stateDetails).toMatch(
      /^Paused until the integration is saved again: status code 410/,
    );
    mended();
    const parameters = { url: `${receiver.url}/new` };
    await saveAddon(id, { parameters });
    sending.lose();
    await sending.pass(1);
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/', '/new', '/new']);
  });

  test('does not get an event after 72 hours and a last attempt, and the log shows it', async () => {
    const id = await addAddon();
    failing();
    await created(['a']);
    for (let hour = 0; hour < 74; hour += 1) {
      sending.clock.move(59 * 60_000);
      await sending.pass(1);
    }
    expect(received()).toHaveLength(73);
    expect(await sentOf(id)).toMatchObject([
      { state: 'failed', stateDetails: 'Given up after 72 hours: status code 500' },
    ]);
    expect((await queuesIn(id)).map(({ sk }) => sk)).toEqual(['LANE#F#a']);
  });

  test('that is silent delays other events only once', async () => {
    await addAddon();
    const impatient = new TestSender(service.table, { hears: false });
    await addFeatures(service, ['a']);
    await impatient.notify();
    await addFeatures(service, ['b']);
    await impatient.notify();
    expect(received()).toEqual(['a created']);
    await sending.pass(2);
    expect(received().toSorted()).toEqual(['a created', 'a created', 'b created']);
  });
});

describe('An integration', () => {
  test('that is disabled sends nothing more, and shows the waiting events', async () => {
    const id = await addAddon();
    failing();
    await created(['a']);
    await saveAddon(id, { enabled: false, parameters: { url: '*****' } });
    sending.clock.move(6_000);
    await sending.pass(2);
    expect(received()).toEqual(['a created']);
    expect(await sentOf(id)).toMatchObject([{ state: 'failed', stateDetails: 'The integration was switched off.' }]);
    expect((await queuesIn(id)).map(({ sk }) => sk)).toEqual(['LANE#F#a']);
  });

  test('that is disabled and enabled again sends no earlier events, and shows all waiting ones, also untried ones', async () => {
    const id = await addAddon();
    failing();
    await created(['a', 'b', 'c']);
    await created(['d']);
    vi.setSystemTime(Date.now() + 1_000);
    for (const enabled of [false, true]) await saveAddon(id, { enabled, parameters: { url: '*****' } });
    sending.clock.move(6_000);
    await sending.pass(2);
    expect(receiver.received).toHaveLength(3);
    const off = { state: 'failed', stateDetails: 'The integration was switched off.' };
    expect(await sentOf(id)).toMatchObject(Array(4).fill(off));
  });

  test('that is disabled while one event goes to many channels sends to no further channel', async () => {
    const parameters = { url: receiver.url, defaultChannel: 'all' };
    const id = await addAddon({ provider: 'slack', parameters });
    const tags = ['one', 'two', 'three'].map((value) => ({ type: 'slack', value }));
    await service.post('/api/admin/projects/default/features', { name: 'a', tags });
    await sending.notify();
    receiver.received.length = 0;
    receiver.answer = async () => {
      sending.clock.move(6_000);
      await saveAddon(id, { provider: 'slack', enabled: false, parameters: { ...parameters, url: '*****' } });
      return { status: 200 };
    };
    await turned('a', 'on');
    await sending.pass(2);
    expect(receiver.events.map(({ channel }) => channel)).toEqual(['#one']);
    expect((await sentOf(id)).at(-1)).toMatchObject({ stateDetails: 'The integration was switched off.' });
  });

  test('that becomes one of Slack sends one request per second', async () => {
    const id = await addAddon();
    await created(['a', 'b']);
    const parameters = { url: receiver.url, defaultChannel: 'all' };
    await saveAddon(id, { provider: 'slack', parameters });
    for (const name of ['a', 'b']) await turn(name, 'on');
    const before = sending.clock.now();
    await sending.notify();
    expect(sending.clock.now() - before).toBe(1_000);
  });

  test('that is deleted leaves no queues', async () => {
    const id = await addAddon();
    failing();
    await created(['a']);
    await service.call('DELETE', `/api/admin/addons/${id}`);
    await sending.pass(2);
    expect(received()).toEqual(['a created']);
    expect(await queuesIn(id)).toEqual([]);
  });

  test('sends of a private project only what its user may see now', async () => {
    const world = new World(service);
    const { body: project } = await service.post('/api/admin/projects', { name: 'Secret', mode: 'private' });
    const role = await world.role({
      type: 'root-custom',
      permissions: [{ name: 'CREATE_ADDON' }, { name: 'UPDATE_ADDON' }],
    });
    const eve = await world.tokenOfRole(role);
    const body = { provider: 'webhook', enabled: true, parameters: { url: `${receiver.url}/eve` }, events: types };
    const { body: eves } = await service.post('/api/admin/addons', body, { token: eve });
    await addAddon({ parameters: { url: `${receiver.url}/admin` } });
    const place = { project: project.id };
    // Known private projects and rights are trusted for a moment.
    vi.setSystemTime(Date.now() + identityTrustMs);
    await addFeatures(service, ['hidden'], place);
    await created(['open']);
    await sending.scan();
    const arrived = () =>
      receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).featureName}`).toSorted();
    expect(arrived()).toEqual(['/admin hidden', '/admin open', '/eve open']);
    await service.put(`/api/admin/addons/${eves.id}`, { ...body, parameters: { url: '*****' }, projects: [] });
    sending.lose();
    await service.post(paths.switch('hidden', 'on', 'development', project.id));
    await sending.notify();
    expect(arrived()).toContain('/eve hidden');
    receiver.received.length = 0;
    const named = { ...body, parameters: { url: '*****' }, projects: ['default', project.id] };
    await service.put(`/api/admin/addons/${eves.id}`, named);
    await service.put(`/api/admin/addons/${eves.id}`, { ...named, projects: ['default'] }, { token: eve });
    sending.lose();
    await service.post(paths.switch('hidden', 'off', 'development', project.id));
    await sending.notify();
    expect(arrived()).toEqual(['/admin hidden']);
  });

  test('has none of its secrets in the log, even if the receiver repeats them', async () => {
    const id = await addAddon({
      parameters: {
        url: `${receiver.url}/the-path/the-receiver-of-ours?the=query`,
        authorization: 'Bearer the-token',
        customHeaders: '{"x-key":"the \\"key\\"","x-other":"Key the-other"}',
        contentType: 'text/plain',
        secret: 'the-secret',
        bodyTemplate: '{{secret}}',
      },
    });
    receiver.answer = ({ path, headers, body }) => ({
      status: 400,
      body: JSON.stringify([
        ...[`Cannot POST ${path}`, ...path.split(/\/|\?the=/).slice(2), headers.authorization?.slice(7)],
        ...[headers['x-key'], String(headers['x-other']).slice(4), body],
      ]),
    });
    await created(['a']);
    const [sent] = await sentOf(id);
    expect(sent?.stateDetails).toBe(`status code 400: ["Cannot POST *****"${',"*****"'.repeat(6)}]`);
    expect(JSON.stringify(sent)).not.toContain('the');
  });

  test('reaches no private network without permission, and the log names the setting that permits it', async () => {
    const id = await addAddon();
    const closed = await new TestSender(service.table, { allowedHosts: [] }).begin();
    await addFeatures(service, ['a']);
    await closed.scan();
    expect(receiver.received).toEqual([]);
    expect(await sentOf(id)).toMatchObject([
      { state: 'failed', stateDetails: expect.stringMatching(/INTEGRATION_ALLOWED_HOSTS/) },
    ]);
  });
});

describe('A clock that was ahead by two days and is corrected', () => {
  const twoDays = 2 * 86_400_000;
  const later = () => moveClock(11 * 60_000);

  /** Sends something while the clock is ahead, until the floor is in the future. */
  async function sendAhead(): Promise<void> {
    moveClock(twoDays);
    await created(['ahead']);
    later();
    await sending.scan();
    moveClock(-twoDays);
  }

  test('prevents no delivery, announced or not, and a warning appears once', async () => {
    await addAddon();
    await sendAhead();
    await created(['announced']);
    await addFeatures(service, ['found']);
    sending.lose();
    await sending.scan();
    await sending.scan();
    expect(received()).toEqual(['ahead created', 'announced created', 'found created']);
    expect(sending.warnings).toEqual([expect.stringMatching(/^All events before 2026-03-04T\S+ count as sent/)]);
    later();
    await sending.scan();
    await addFeatures(service, ['later']);
    sending.lose();
    await sending.scan();
    expect(received().slice(3)).toEqual(['later created']);
    expect(sending.warnings).toHaveLength(1);
  });

  test('lets an integration that was enabled meanwhile start at that time', async () => {
    await addFeatures(service, ['before']);
    moveClock(twoDays);
    await addAddon();
    await sending.poll();
    moveClock(-twoDays);
    await turn('before', 'on');
    await addFeatures(service, ['after']);
    sending.lose();
    await sending.scan();
    expect(received().toSorted()).toEqual(['after created', 'before enabled']);
  });

  test('lets an integration that was enabled meanwhile without being seen send later events, with a warning', async () => {
    moveClock(twoDays);
    await addAddon();
    moveClock(-twoDays);
    await created(['a']);
    expect(received()).toEqual(['a created']);
    expect(sending.warnings).toEqual([expect.stringMatching(/^Integration 1 was enabled at 2026-03-04T/)]);
  });

  test('lets waiting events be retried within minutes', async () => {
    await addAddon();
    moveClock(twoDays);
    failing();
    // The receiver counts as down.
    await created(['a', 'b', 'c']);
    await created(['d']);
    moveClock(-twoDays);
    mended();
    receiver.received.length = 0;
    await sending.poll();
    await sending.pass(1);
    expect(received().toSorted()).toEqual(['a created', 'b created', 'c created', 'd created']);
  });

  test('leaves no queue leased to a dead process', async () => {
    const id = await addAddon();
    await addFeatures(service, ['a']);
    const queue = sendingKeys.queue(id, 'F#a');
    await changeItem(service.table, queue, {
      set: { lease: 'of a dead one', leaseUntil: Date.now() + twoDays + 60_000 },
    });
    await sending.notify();
    expect(received()).toEqual(['a created']);
  });
});

test('Waiting events of an earlier layout are sent, even if the receiver was silent and its pause a day', async () => {
  const id = await addAddon();
  failing();
  await created(['a']);
  await turned('a', 'on');
  const work = service.table;
  const { doneTo = 0 } = (await readItem<{ doneTo: number }>(work, sendingKeys.queue(id, 'F#a'))) ?? {};
  const now = sending.clock.now();
  const waitUntil = now + 86_400_000;
  const trust = { suspicions: 3, suspectedAt: now, recoveries: 1 };
  await changeItem(work, sendingKeys.queue(id, 'F#a'), { set: { ...trust, waitUntil, open: '', wanted: doneTo + 9 } });
  await changeItem(work, sendingKeys.retry(id, 'F#a'), { set: { waitUntil, since: now, closings: 2 } });
  const paused = { openUntil: now + 60_000, openings: 1, slow: 1, recoveries: 1, closings: 2 };
  await changeItem(work, sendingKeys.receiverState(id), { set: paused });
  mended();
  await sending.pass(3);
  expect(received()).toEqual(['a created', 'a created', 'a enabled']);
});

test('A store of release 0.2 starts to send with the upgrade', async () => {
  const id = await addAddon();
  await addFeatures(service, ['a']);
  const addon = await readItem<Attributes & Key>(service.table, addons.keyOf(id));
  const { enabledAt: _enabledAt, pk: _pk, sk: _sk, ...item }: Partial<Attributes & Key> = addon ?? {};
  const writes: Write[] = [{ put: addons.keyOf(id), item: item as Attributes }, { remove: sendingKeys.senderState() }];
  await transact(service.table, writes, undefined);
  moveClock(1);
  const upgraded = await new TestSender(service.table).begin();
  await upgraded.scan();
  await turn('a', 'on');
  await upgraded.scan();
  expect(received()).toEqual(['a enabled']);
});

test('A process that ends during a run leaves its queues to the next one', async () => {
  await addAddon();
  await addFeatures(service, ['a', 'b']);
  await turn('a', 'on');
  receiver.answer = () => {
    sending.stopping.abort();
    return { status: 200 };
  };
  await sending.notify();
  const first = received();
  expect(first.length).toBeLessThan(3);
  const next = new TestSender(service.table);
  await next.scan();
  expect(received().toSorted()).toEqual(['a created', 'a enabled', 'b created']);
});

test('A change that is made while its feature is sent follows at once', async () => {
  await addAddon();
  let following: Promise<unknown> = Promise.resolve();
  receiver.answer = async () => {
    if (receiver.received.length > 1) return { status: 200 };
    await turn('a', 'on');
    following = sending.notify();
    return { status: 200 };
  };
  await created(['a']);
  await following;
  expect(received()).toEqual(['a created', 'a enabled']);
});

test('Unannounced events wait once until SDKs have the changes, for any number of features', async () => {
  await addAddon();
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  await addFeatures(service, names);
  sending.lose();
  const before = sending.clock.now();
  await sending.scan();
  expect(received()).toHaveLength(12);
  expect(sending.clock.now() - before).toBe(1_500);
});

test('A change behind a failed event waits until SDKs have it, and delays no other feature', async () => {
  await addAddon();
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  failing();
  await created(names);
  mended();
  sending.clock.move(120_000);
  vi.setSystemTime(sending.clock.now());
  for (const name of names) await turn(name, 'on');
  sending.clock.move(-120_000);
  receiver.received.length = 0;
  const before = sending.clock.now();
  await sending.poll();
  expect(sending.clock.now()).toBe(before);
  expect(received().toSorted()).toEqual(names.map((name) => `${name} created`).toSorted());
  sending.clock.move(1_500);
  await sending.poll();
  expect(received().slice(12).toSorted()).toEqual(names.map((name) => `${name} enabled`).toSorted());
});

test('A process that ends reads no further page of the log', async () => {
  await addAddon();
  await addFeatures(service, ['a', 'b']);
  await loadPlan(sending.sender);
  let pages = 0;
  using _ = beforeRequests(service.table, (input) => {
    if (!('IndexName' in input)) return;
    Object.assign(input, { Limit: 1 });
    pages += 1;
  });
  sending.stopping.abort();
  await sending.scan();
  expect(pages).toBe(1);
});

test('A restored copy of a table sends no earlier events, and shows the waiting ones', async () => {
  const id = await addAddon();
  failing();
  await created(['a']);
  await addFeatures(service, ['b']);
  const { store } = service.table;
  await changeItem(service.table, sendingKeys.senderState(), { set: { table: `${store.name}-before` } });
  mended();
  // Times are in milliseconds, and nobody restores a copy within one.
  vi.setSystemTime(Date.now() + 1);
  await sending.poll();
  await sending.scan();
  await sending.pass(10);
  expect(received()).toEqual(['a created']);
  expect(await sentOf(id)).toMatchObject([{ state: 'failed', stateDetails: 'The store was restored from a copy.' }]);
  await turned('a', 'on');
  expect(received()).toEqual(['a created', 'a enabled']);
});

test('A restored copy of a table sends no earlier events, even if the process that finds it ends at once', async () => {
  await addAddon();
  failing();
  await created(['a']);
  await changeItem(service.table, sendingKeys.senderState(), { set: { table: `${service.table.store.name}-before` } });
  mended();
  await loadPlan(sending.sender);
  await sending.pass(10);
  expect(received()).toEqual(['a created']);
});
