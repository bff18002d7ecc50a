import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Fault, withFault } from '../../harness/faults.ts';
import {
  addFeatures,
  addFeaturesOn,
  eventTypesOf,
  featureEventsOf,
  newTokenOf,
  paths,
  readState,
  shopSeed,
} from '../../harness/features.ts';
import { freshService, type Reply, type Service } from '../../harness/service.ts';
import { expectRefused } from '../../specifications/expect.ts';

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const isReplay = ({ headers }: Reply) => headers['idempotent-replayed'] === 'true';

describe('An idempotency key', () => {
  let service: Service;
  let feature: string;
  let made = 0;
  beforeAll(async () => {
    service = await freshService(shopSeed);
  });
  beforeEach(async () => {
    made += 1;
    feature = `feature-${made}`;
    await addFeatures(service, [feature]);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const addStrategy = (key: string, title = 'one') =>
    service.post(paths.strategies(feature), { name: 'default', title }, withKey(key));
  const strategies = async () => (await readState(service, feature)).strategies;

  test('belongs to one caller', async () => {
    const key = randomUUID();
    const token = await newTokenOf(service, { username: 'carol', rootRole: 'Editor' });
    const first = await addStrategy(key);
    const other = await service.post(
      paths.strategies(feature),
      { name: 'default', title: 'one' },
      { token, ...withKey(key) },
    );
    expect(other.status).toBe(200);
    expect(isReplay(other)).toBe(false);
    expect(other.body.id).not.toBe(first.body.id);
  });

  test('repeats the first reply, whatever has changed since', async () => {
    const key = randomUUID();
    const first = await service.put(paths.feature(feature), {}, withKey(key));
    await service.put(paths.feature(feature), { description: 'later' });
    const again = await service.put(paths.feature(feature), {}, withKey(key));
    expect(again.text).toBe(first.text);
    expect(isReplay(again)).toBe(true);
  });

  test('of a refused request is not used up: the repeat is decided again', async () => {
    const key = randomUUID();
    const add = () => service.post(paths.tags(`${feature}-later`), { value: 'blue' }, withKey(key));
    expectRefused(await add(), 404, 'NotFoundError');
    await addFeatures(service, [`${feature}-later`]);
    expect((await add()).status).toBe(201);
    expect(isReplay(await add())).toBe(true);
  });

  test('expires after 24 hours', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const key = randomUUID();
    await addStrategy(key);
    vi.setSystemTime(Date.now() + 24 * 3_600_000 - 5_000);
    expect(isReplay(await addStrategy(key))).toBe(true);
    vi.setSystemTime(Date.now() + 10_000);
    expect(isReplay(await addStrategy(key))).toBe(false);
    expect(isReplay(await addStrategy(key))).toBe(true);
    expect(await strategies()).toHaveLength(2);
  });

  test('runs its request once if many send it at the same time', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => addStrategy(key)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await strategies()).toHaveLength(1);
  });

  test.each<Fault>([
    { request: 'TransactWriteItems', failure: 'lost answer', times: 99 },
    { request: 'TransactWriteItems', failure: 'throttled', times: 99 },
  ])('makes a repeat harmless after a store failure: $failure', async (fault) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const key = randomUUID();
    const [lost] = await withFault(service.table, fault, () => addStrategy(key));
    // A transaction that was carried out is found at once; otherwise the repeat carries it out.
    expect(lost.status).toBe(fault.failure === 'lost answer' ? 200 : 503);
    const again = await addStrategy(key);
    expect(again.status).toBe(200);
    expect(await strategies()).toMatchObject([{ id: again.body.id }]);
    expect(await eventTypesOf(service, feature)).toEqual(['feature-created', 'feature-strategy-add']);
  });

  test('keeps the reply of a request that changes nothing, in spite of a conflict', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const conflict: Fault = { request: 'TransactWriteItems', failure: 'conflict', times: 2 };
    const update = () => service.put(paths.feature(feature), {}, withKey(feature));
    const [answer, hits] = await withFault(service.table, conflict, update);
    expect(hits).toBe(2);
    expect(answer.status).toBe(200);
    expect(isReplay(await update())).toBe(true);
  });

  test('outweighs an `If-Match` that its own request has made false', async () => {
    const { headers } = await service.put(paths.feature(feature), {});
    const update = () =>
      service.put(
        paths.feature(feature),
        { description: 'once' },
        { headers: { 'idempotency-key': feature, 'if-match': headers.etag ?? '' } },
      );
    const first = await update();
    expect(first.status).toBe(200);
    const second = await update();
    expect(second).toMatchObject({ status: 200, text: first.text, headers: { etag: first.headers.etag } });
  });

  test('of a request with a reply too large for an item says that it was carried out', async () => {
    const values = Array.from({ length: 250 }, (_, index) => String(index).padStart(100, 'v'));
    const constraint = { contextName: 'userId', operator: 'IN', values };
    for (const environment of ['development', 'production']) {
      for (let strategy = 0; strategy < 3; strategy += 1) {
        const body = { name: 'default', constraints: [constraint, constraint, constraint] };
        expect((await service.post(paths.strategies(feature, environment), body)).status).toBe(200);
      }
    }
    const update = () => service.put(paths.feature(feature), { description: 'large' }, withKey(feature));
    expect((await update()).status).toBe(200);
    expectRefused(await update(), 413, 'ContentTooLarge');
    const types = await eventTypesOf(service, feature);
    expect(types.filter((type) => type === 'feature-metadata-updated')).toHaveLength(1);
  });
});

describe('An idempotency key of a request with several transactions', () => {
  let service: Service;
  const names = Array.from({ length: 70 }, (_, index) => `many-${index}`);
  const off = (key: string, features: readonly string[] = names) =>
    service.post(paths.off(), { features }, withKey(key));
  const file = {
    project: 'default',
    environment: 'development',
    data: {
      features: names.map((name) => ({ name, description: 'imported' })),
      featureStrategies: [],
      featureEnvironments: names.map((featureName) => ({ name: 'development', featureName, enabled: false })),
      tagTypes: [],
    },
  };
  const importFile = (key: string) => service.post('/api/admin/features-batch/import', file, withKey(key));
  const interruption: Fault = { request: 'TransactWriteItems', failure: 'throttled', times: 99, after: 2 };

  beforeEach(async () => {
    service = await freshService(shopSeed);
    for (const part of [names.slice(0, 50), names.slice(50)]) await addFeaturesOn(service, part);
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });

  const enabled = async () => {
    const { body } = await service.get('/api/admin/projects/default/features');
    const features: { name: string; environments: { name: string; enabled: boolean }[] }[] = body.features;
    const isOn = (each: { name: string; enabled: boolean }) => each.name === 'development' && each.enabled;
    return features.filter(({ environments }) => environments.some(isOn)).map(({ name }) => name);
  };

  test.each([
    ['bulk off', off],
    ['an import', importFile],
  ])('continues %s after an interruption, and keeps changes that others made since', async (_title, call) => {
    const [cut] = await withFault(service.table, interruption, () => call('many'));
    expect(cut.status).toBe(503);
    const left = await enabled();
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(names.length);
    const [done = ''] = names.filter((name) => !left.includes(name));
    await addFeaturesOn(service, [done]);

    const again = await call('many');
    expect(again).toMatchObject({ status: 200, text: '' });
    expect(await enabled()).toEqual([done]);
    expect(isReplay(await call('many'))).toBe(true);
    expect(await enabled()).toEqual([done]);
  });

  test('is claimed while its request is under way: another request with it is refused', async () => {
    await withFault(service.table, interruption, () => off('held'));
    const before = await enabled();
    expectRefused(await off('held', names.slice(0, 50)), 400, 'ValidationError');
    expectRefused(await importFile('held'), 400, 'ValidationError');
    expect(await enabled()).toEqual(before);
    expect((await off('held')).status).toBe(200);
    expect(await enabled()).toEqual([]);
  });

  test('runs each transaction once if several send the request at the same time', async () => {
    const answers = await Promise.all([off('same'), off('same'), off('same')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await enabled()).toEqual([]);
    for (const name of names.slice(0, 3)) {
      const types = (await featureEventsOf(service, name)).map(({ type }) => type);
      expect(types.filter((type) => type === 'feature-environment-disabled')).toHaveLength(1);
    }
  });
});
