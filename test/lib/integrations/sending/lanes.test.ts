import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { identityTrustMs } from '../../../../lib/identity/identity-memory.ts';
import { runMigration } from '../../../../lib/imports/migration/run.ts';
import { readSource } from '../../../../lib/imports/migration/source.ts';
import { readSeed } from '../../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../../lib/imports/seed/seed-store.ts';
import { addons } from '../../../../lib/integrations/addons.ts';
import * as sendingKeys from '../../../../lib/integrations/sending/keys.ts';
import { loadPlan } from '../../../../lib/integrations/sending/sender.ts';
import type { SentEvent } from '../../../../lib/integrations/sending/sent-events.ts';
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
/** Makes changes of which the doorbell rings. */
const created = (names: readonly string[]) => addFeatures(service, names).then(() => sending.ring());
const turned = (name: string, to: 'on' | 'off') => turn(name, to).then(() => sending.ring());
const saveAddon = (id: number, changed: object) =>
  service.put(`/api/admin/addons/${id}`, { provider: 'webhook', enabled: true, events: types, ...changed });
const received = () => receiver.events.map(({ featureName, type }) => `${featureName} ${type.split('-').at(-1)}`);
const moveClock = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const sentOf = (id: number) => queryAll<SentEvent>(service.table, sendingKeys.sentEvents(id));
const lanesOf = (id: number) => queryAll<{ sk: string }>(service.table, sendingKeys.lanes(id));

describe('A change', () => {
  test('is sent as it was committed, to each integration that is about it, and recorded', async () => {
    const id = await addAddon();
    await addAddon({ events: ['feature-archived'] });
    await addAddon({ enabled: false });
    await created(['a']);
    const [event] = await featureEventsOf(service, 'a');
    expect(receiver.events).toEqual([{ ...event, groupType: 'transaction', groupId: String(event?.id) }]);
    const [sent, ...others] = await sentOf(id);
    expect(others).toEqual([]);
    expect(sent).toMatchObject({ eventId: event?.id, state: 'success', stateDetails: 'It was taken.' });
    expect(JSON.parse(sent?.attempts ?? '')).toMatchObject([{ reason: '' }]);
    expect(sending.lines).toMatchObject([{ level: 'INFO', integration: id, eventId: event?.id, outcome: 'taken' }]);
  });

  test('is not sent where the integration was switched on after it', async () => {
    await addFeatures(service, ['a']);
    vi.setSystemTime(Date.now() + 1);
    await addAddon();
    await turn('a', 'on');
    await sending.sweep();
    expect(received()).toEqual(['a enabled']);
  });

  test('is not sent where a seed or a migration brought the integration after it', async () => {
    await addFeatures(service, ['a']);
    const addon = { provider: 'webhook', enabled: true, parameters: { url: receiver.url }, events: types };
    vi.setSystemTime('2026-03-02T12:00:00Z');
    await seedStore(service.table, readSeed({ addons: [{ ...addon, description: 'seeded' }] }));
    const source = await readSource(getAmong({ ...unleash76, '/api/admin/addons': { addons: [addon] } }));
    await runMigration(service.table, source, { from: 'https://unleash.example.com/', isWriting: true });
    await sending.sweep();
    expect(received()).toEqual([]);
    await turn('a', 'on');
    await sending.sweep();
    expect(received()).toEqual(['a enabled', 'a enabled']);
  });

  test('of another server, whose history is taken over, is not sent again', async () => {
    await addAddon();
    const other = await freshService();
    await addFeatures(other, ['a']);
    const source = await readSource(getFrom(other));
    vi.stubEnv('TABLE_NAME', service.table.store.name);
    await runMigration(service.table, source, { from: 'https://unleash.example.com/', isWriting: true });
    await sending.ring();
    await sending.sweep();
    expect(received()).toEqual([]);
    await turned('a', 'on');
    expect(received()).toEqual(['a enabled']);
  });

  test('has the same id in all its messages, and another one than every other change', async () => {
    await addAddon();
    await addAddon();
    await addFeatures(service, ['a']);
    await turned('a', 'on');
    const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^ev_[\w-]{8}_\d+_[0-9a-z]+$/.test(id))).toBe(true);
  });

  test('costs nothing more for the one who makes it where integrations hear of it', async () => {
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
  test('is tried again by the schedule, and gets everything in order once it is back', async () => {
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
    expect(received()).toHaveLength(3);
    mended();
    await sending.pass(20);
    expect(received().slice(3)).toEqual(['a created', 'a enabled']);
    expect((await sentOf(id)).map(({ state }) => state)).toEqual(['success', 'success']);
    expect(JSON.parse((await sentOf(id))[0]?.attempts ?? '')).toHaveLength(4);
    await sending.pass(1);
    expect((await lanesOf(id)).map(({ sk }) => sk)).toEqual(['LANE#F#a']);
    expect(await queryAll(service.table, sendingKeys.sending())).toHaveLength(1);
  });

  test('is tried once more after a second where the connection is lost', async () => {
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

  test('is left in peace once three features wait, but for a few probes', async () => {
    await addAddon();
    failing();
    await created(['a', 'b', 'c']);
    const first = received().length;
    expect(first).toBe(3);
    await created(['d', 'e']);
    expect(received()).toHaveLength(first);
    await sending.pass(30);
    // The breaker opens for 1, 2, 4, 8 and 16 minutes, with three probes after each.
    expect(received().length - first).toBeLessThanOrEqual(15);
    mended();
    await sending.pass(35);
    expect(new Set(received().slice(-5))).toEqual(new Set(['a', 'b', 'c', 'd', 'e'].map((name) => `${name} created`)));
  });

  test('is found to be back though the event that has waited longest is one that it never takes', async () => {
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

  test('gives up one event that it alone does not take, and no other feature waits for it', async () => {
    const id = await addAddon();
    receiver.answer = ({ body }) => ({ status: JSON.parse(body).featureName === 'bad' ? 500 : 200 });
    await created(['bad']);
    await turned('bad', 'on');
    for (let round = 0; round < 12; round += 1) {
      await created([`good-${round}`]);
      await sending.pass(5);
    }
    expect(received().filter((each) => each.startsWith('good'))).toHaveLength(12);
    const states = (await sentOf(id)).map(({ stateDetails }) => stateDetails);
    expect(states[0]).toMatch(/^Given up since others are taken: status code 500/);
    // The feature has gone on to its next event.
    expect(received()).toContain('bad enabled');
  });

  test('has an event that it never takes given up in the end, though no other feature is sent, and gets those behind it', async () => {
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
    expect((await lanesOf(id)).map(({ sk }) => sk)).toEqual(['LANE#F#a']);
  });

  test('is asked with an event behind one that it never takes for two hours, though that is given up after 72', async () => {
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

  test('has an event given up that it refuses for good, which keeps nothing', async () => {
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

  test('waits for the next day once it has had all requests of one', async () => {
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

  test('is asked for nothing before the end of the pause that it asks for', async () => {
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

  test('that asks for a pause of a few seconds is asked again after it', async () => {
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

  test('that is gone gets nothing until the integration is saved again, and then everything', async () => {
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

  test('has what it does not take within 72 hours given up, and shown', async () => {
    const id = await addAddon();
    failing();
    await created(['a']);
    for (let hour = 0; hour < 74; hour += 1) {
      sending.clock.move(59 * 60_000);
      await sending.pass(1);
    }
    expect(received().length).toBeGreaterThanOrEqual(11);
    expect(received().length).toBeLessThanOrEqual(13);
    const [sent] = await sentOf(id);
    expect(sent).toMatchObject({ state: 'failed', stateDetails: expect.stringMatching(/72 hours|last attempt/) });
    expect((await lanesOf(id)).map(({ sk }) => sk)).toEqual(['LANE#F#a']);
  });

  test('that is silent holds up others no more than once', async () => {
    await addAddon();
    const impatient = new TestSender(service.table, { hears: false });
    await addFeatures(service, ['a']);
    await impatient.ring();
    await addFeatures(service, ['b']);
    await impatient.ring();
    expect(received()).toEqual(['a created']);
    await sending.pass(2);
    expect(received().toSorted()).toEqual(['a created', 'a created', 'b created']);
  });

  test('that was silent is found to be back as soon as it answers, though it does not take the event that it is asked with', async () => {
    await addAddon();
    const impatient = new TestSender(service.table, { hears: false });
    await addFeatures(service, ['a', 'b', 'c']);
    await impatient.ring();
    await impatient.pass(1);
    const before = received().length;
    let bad: string | undefined;
    receiver.answer = ({ body }) => {
      const { featureName } = JSON.parse(body);
      bad ??= featureName;
      return { status: featureName === bad ? 500 : 200 };
    };
    sending.clock.move(60_000);
    await sending.pass(2);
    expect(new Set(received().slice(before))).toEqual(new Set(['a created', 'b created', 'c created']));
  });
});

describe('An integration', () => {
  test('that is switched off sends nothing more, and shows what waited', async () => {
    const id = await addAddon();
    failing();
    await created(['a']);
    await saveAddon(id, { enabled: false, parameters: { url: '*****' } });
    sending.clock.move(6_000);
    await sending.pass(2);
    expect(received()).toEqual(['a created']);
    expect(await sentOf(id)).toMatchObject([{ state: 'failed', stateDetails: 'The integration was switched off.' }]);
    expect((await lanesOf(id)).map(({ sk }) => sk)).toEqual(['LANE#F#a']);
  });

  test('that is switched off and on again sends nothing of before, and shows what waited, be it untried', async () => {
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

  test('that is switched off while one event goes to many channels is asked for no more of them', async () => {
    const parameters = { url: receiver.url, defaultChannel: 'all' };
    const id = await addAddon({ provider: 'slack', parameters });
    const tags = ['one', 'two', 'three'].map((value) => ({ type: 'slack', value }));
    await service.post('/api/admin/projects/default/features', { name: 'a', tags });
    await sending.ring();
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

  test('that becomes one of Slack is sent to at its pace, a request a second', async () => {
    const id = await addAddon();
    await created(['a', 'b']);
    const parameters = { url: receiver.url, defaultChannel: 'all' };
    await saveAddon(id, { provider: 'slack', parameters });
    for (const name of ['a', 'b']) await turn(name, 'on');
    const before = sending.clock.now();
    await sending.ring();
    expect(sending.clock.now() - before).toBe(1_000);
  });

  test('that is deleted leaves nothing under way', async () => {
    const id = await addAddon();
    failing();
    await created(['a']);
    await service.call('DELETE', `/api/admin/addons/${id}`);
    await sending.pass(2);
    expect(received()).toEqual(['a created']);
    expect(await lanesOf(id)).toEqual([]);
  });

  test('gets of a private project what the one who saved it sees at the moment', async () => {
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
    // What is known of private projects and of rights is trusted for a moment.
    vi.setSystemTime(Date.now() + identityTrustMs);
    await addFeatures(service, ['hidden'], place);
    await created(['open']);
    await sending.sweep();
    const arrived = () =>
      receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).featureName}`).toSorted();
    expect(arrived()).toEqual(['/admin hidden', '/admin open', '/eve open']);
    await service.put(`/api/admin/addons/${eves.id}`, { ...body, parameters: { url: '*****' }, projects: [] });
    sending.lose();
    await service.post(paths.switch('hidden', 'on', 'development', project.id));
    await sending.ring();
    expect(arrived()).toContain('/eve hidden');
    receiver.received.length = 0;
    const named = { ...body, parameters: { url: '*****' }, projects: ['default', project.id] };
    await service.put(`/api/admin/addons/${eves.id}`, named);
    await service.put(`/api/admin/addons/${eves.id}`, { ...named, projects: ['default'] }, { token: eve });
    sending.lose();
    await service.post(paths.switch('hidden', 'off', 'development', project.id));
    await sending.ring();
    expect(arrived()).toEqual(['/admin hidden']);
  });

  test('has none of its secrets recorded, though the receiver repeats them', async () => {
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

  test('reaches no private network that is not allowed, and the record says what would change that', async () => {
    const id = await addAddon();
    const closed = await new TestSender(service.table, { allowedHosts: [] }).begin();
    await addFeatures(service, ['a']);
    await closed.sweep();
    expect(receiver.received).toEqual([]);
    expect(await sentOf(id)).toMatchObject([
      { state: 'failed', stateDetails: expect.stringMatching(/INTEGRATION_ALLOWED_HOSTS/) },
    ]);
  });
});

describe('A clock that is ahead by two days and set right', () => {
  const twoDays = 2 * 86_400_000;
  const later = () => moveClock(11 * 60_000);

  /** Sends something while the clock is ahead, until the floor is in the future. */
  async function sendAhead(): Promise<void> {
    moveClock(twoDays);
    await created(['ahead']);
    later();
    await sending.sweep();
    moveClock(-twoDays);
  }

  test('keeps nothing from being sent, be it announced or not, and a warning says so once', async () => {
    await addAddon();
    await sendAhead();
    await created(['announced']);
    await addFeatures(service, ['found']);
    sending.lose();
    await sending.sweep();
    await sending.sweep();
    expect(received()).toEqual(['ahead created', 'announced created', 'found created']);
    expect(sending.warnings).toEqual([expect.stringMatching(/^All events of before 2026-03-04T\S+ count as sent/)]);
    later();
    await sending.sweep();
    await addFeatures(service, ['later']);
    sending.lose();
    await sending.sweep();
    expect(received().slice(3)).toEqual(['later created']);
    expect(sending.warnings).toHaveLength(1);
  });

  test('has an integration that was switched on meanwhile begin with that', async () => {
    await addFeatures(service, ['before']);
    moveClock(twoDays);
    await addAddon();
    await sending.tick();
    moveClock(-twoDays);
    await turn('before', 'on');
    await addFeatures(service, ['after']);
    sending.lose();
    await sending.sweep();
    expect(received().toSorted()).toEqual(['after created', 'before enabled']);
  });

  test('has an integration that was switched on meanwhile, unseen, send what comes, and a warning says so', async () => {
    moveClock(twoDays);
    await addAddon();
    moveClock(-twoDays);
    await created(['a']);
    expect(received()).toEqual(['a created']);
    expect(sending.warnings).toEqual([expect.stringMatching(/^Integration 1 was switched on at 2026-03-04T/)]);
  });

  test('has what waits tried again within minutes', async () => {
    await addAddon();
    moveClock(twoDays);
    failing();
    // The breaker opens.
    await created(['a', 'b', 'c']);
    await created(['d']);
    moveClock(-twoDays);
    mended();
    receiver.received.length = 0;
    await sending.tick();
    await sending.pass(1);
    expect(received().toSorted()).toEqual(['a created', 'b created', 'c created', 'd created']);
  });

  test('leaves no lane to a process that has died', async () => {
    const id = await addAddon();
    await addFeatures(service, ['a']);
    const lane = sendingKeys.lane(id, 'F#a');
    await changeItem(service.table, lane, {
      set: { lease: 'of a dead one', leaseUntil: Date.now() + twoDays + 60_000 },
    });
    await sending.ring();
    expect(received()).toEqual(['a created']);
  });

  test('has nothing given up that fails, since the breaker closed in the future', async () => {
    const id = await addAddon();
    moveClock(twoDays);
    failing();
    await created(['a', 'b', 'c']);
    receiver.answer = ({ body }) => ({ status: JSON.parse(body).featureName === 'a' ? 500 : 200 });
    await sending.pass(2);
    sending.clock.move(-120_000);
    moveClock(-twoDays);
    failing();
    await created(['d']);
    for (let second = 0; second < 60; second += 5) await sending.tick();
    expect(received().filter((each) => each === 'd created')).toHaveLength(1);
    expect((await sentOf(id)).at(-1)).toMatchObject({ stateDetails: expect.stringMatching(/^Attempt 1 failed/) });
  });
});

describe('A store of before, which was bounded by times', () => {
  /** The state and the lanes of an integration as an earlier version had them, with its floor. */
  async function asBefore(id: number, floor: string): Promise<void> {
    const work = service.table;
    const [state] = await queryAll<Attributes & Key>(work, sendingKeys.sending());
    if (state === undefined) throw new Error('Nothing was sent.');
    const { pk, sk, floorId: _floorId, starts: _starts, ...times } = state;
    const writes: Write[] = [{ put: { pk, sk }, item: { ...times, floor } as Attributes }];
    for (const { pk, sk, ...item } of await queryAll<Attributes & Key>(work, sendingKeys.lanes(id))) {
      const isWaiting = sk.startsWith('LANE#') && Number(item.waitUntil) > 0;
      const { closings: _closings, givenUpAt: _givenUpAt, recoveries: _recoveries, ...old } = item as Attributes;
      writes.push({ put: { pk, sk }, item: { ...old, ...(isWaiting && { open: floor, doneTo: 0, next: 0 }) } });
    }
    await transact(work, writes, undefined);
  }

  test('sends what waits and what was not announced, and nothing twice', async () => {
    const id = await addAddon();
    await created(['done', 'waits']);
    failing();
    await turned('waits', 'on');
    mended();
    await addFeatures(service, ['found']);
    sending.lose();
    receiver.received.length = 0;
    await asBefore(id, '2026-03-02T09:50:00.000Z');
    const next = new TestSender(service.table);
    await next.sweep();
    await next.pass(2);
    expect(received()).toEqual(['found created', 'waits enabled']);
    expect(next.warnings).toEqual([]);
  });

  test('sends what its floor in the future would have kept back', async () => {
    const id = await addAddon();
    await created(['done']);
    await addFeatures(service, ['found']);
    sending.lose();
    await asBefore(id, '2026-03-04T10:00:00.000Z');
    await sending.sweep();
    await created(['announced']);
    expect(received()).toEqual(['done created', 'found created', 'announced created']);
    expect(sending.warnings).toHaveLength(1);
  });

  test('sends nothing of before an integration was switched on', async () => {
    await addFeatures(service, ['a']);
    sending.lose();
    moveClock(1);
    const id = await addAddon();
    await turned('a', 'on');
    await asBefore(id, '2026-03-02T09:50:00.000Z');
    await sending.sweep();
    await turned('a', 'off');
    expect(received()).toEqual(['a enabled', 'a disabled']);
  });

  test('of release 0.2 begins with the upgrade', async () => {
    const id = await addAddon();
    await addFeatures(service, ['a']);
    const addon = await readItem<Attributes & Key>(service.table, addons.keyOf(id));
    const { enabledAt: _enabledAt, pk: _pk, sk: _sk, ...item }: Partial<Attributes & Key> = addon ?? {};
    const writes: Write[] = [
      { put: addons.keyOf(id), item: item as Attributes },
      { remove: sendingKeys.sendingState() },
    ];
    await transact(service.table, writes, undefined);
    moveClock(1);
    const upgraded = await new TestSender(service.table).begin();
    await upgraded.sweep();
    await turn('a', 'on');
    await upgraded.sweep();
    expect(received()).toEqual(['a enabled']);
  });
});

test('A process that ends in the middle leaves its lanes to the next one', async () => {
  await addAddon();
  await addFeatures(service, ['a', 'b']);
  await turn('a', 'on');
  receiver.answer = () => {
    sending.stopping.abort();
    return { status: 200 };
  };
  await sending.ring();
  const first = received();
  expect(first.length).toBeLessThan(3);
  const next = new TestSender(service.table);
  await next.sweep();
  expect(received().toSorted()).toEqual(['a created', 'a enabled', 'b created']);
});

test('What no doorbell has announced waits once until SDKs are served it, however many features it is of', async () => {
  await addAddon();
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  await addFeatures(service, names);
  sending.lose();
  const before = sending.clock.now();
  await sending.sweep();
  expect(received()).toHaveLength(12);
  expect(sending.clock.now() - before).toBe(1_500);
});

test('What was changed behind an event that has failed waits until SDKs are served it, and keeps no other feature waiting', async () => {
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
  await sending.tick();
  expect(sending.clock.now()).toBe(before);
  expect(received().toSorted()).toEqual(names.map((name) => `${name} created`).toSorted());
  sending.clock.move(1_500);
  await sending.tick();
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
  await sending.sweep();
  expect(pages).toBe(1);
});

test('A restored copy of a table sends nothing of the past, and shows what waited', async () => {
  const id = await addAddon();
  failing();
  await created(['a']);
  await addFeatures(service, ['b']);
  const { store } = service.table;
  await changeItem(service.table, sendingKeys.sendingState(), { set: { table: `${store.name}-before` } });
  mended();
  // Times are in milliseconds, and nobody restores a copy within one.
  vi.setSystemTime(Date.now() + 1);
  await sending.tick();
  await sending.sweep();
  await sending.pass(10);
  expect(received()).toEqual(['a created']);
  expect(await sentOf(id)).toMatchObject([{ state: 'failed', stateDetails: 'The store was restored from a copy.' }]);
  await turned('a', 'on');
  expect(received()).toEqual(['a created', 'a enabled']);
});

test('A restored copy of a table sends nothing of the past, though the process that finds it ends at once', async () => {
  await addAddon();
  failing();
  await created(['a']);
  await changeItem(service.table, sendingKeys.sendingState(), { set: { table: `${service.table.store.name}-before` } });
  mended();
  await loadPlan(sending.sender);
  await sending.pass(10);
  expect(received()).toEqual(['a created']);
});
