import { beforeAll, describe, expect } from 'vitest';
import { permitForOwnData } from '../../../lib/events/actor.ts';
import { stampEvents } from '../../../lib/events/event.ts';
import { serviceEventWrites } from '../../../lib/events/event-items.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { newTokenOf, paths, problemPaths } from '../../harness/features.ts';
import { sendImport } from '../../harness/imports.ts';
import { freshService } from '../../harness/service.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { sharedService, specify, test } from '../../specifications/specify.ts';

specify('getEvents', {
  route: 'GET /api/admin/events',
  may: 'any token',
  request: async (world) => ({ query: { project: (await world.projectWithFeature()).projectId } }),
  // The newest events are looked up, and then read.
  waits: 2,
});

test('All events of a project or the service are listed, newest first', async ({ service, world }) => {
  const project = await world.project();
  await service.post(`/api/admin/projects/${project}/features`, { name: 'one' });
  await service.post('/api/admin/tag-types', { name: 'team' });
  await service.post(`/api/admin/projects/${project}/features`, { name: 'two' });

  const typesOf = ({ body }: { body: { events: { type: string; featureName: string | null }[] } }) =>
    body.events.map(({ type, featureName }) => (featureName === null ? type : `${type} ${featureName}`));
  const ofProject = await service.get(`/api/admin/events?project=${project}`);
  expect(typesOf(ofProject)).toEqual(['feature-created two', 'feature-created one', 'project-created']);
  expect(ofProject.body).toMatchObject({ version: 1, totalEvents: 3 });

  const all = await service.get('/api/admin/events');
  expect(typesOf(all).slice(0, 3)).toEqual(['feature-created two', 'tag-type-created', 'feature-created one']);
  expect(all.body.totalEvents).toBe(all.body.events.length);
  const [first] = (await service.get('/api/admin/events/two')).body.events;
  expect(all.body.events[0]).toEqual(first);
});

test('It lists 100 events and counts all', async ({ service }) => {
  const features = Array.from({ length: 101 }, (_, index) => ({ name: `f-${index}` }));
  await sendImport(service, { features });
  const { body } = await service.get('/api/admin/events?project=default');
  expect(body.events).toHaveLength(100);
  expect(body.events[0].type).toBe('features-imported');
  expect(body.totalEvents).toBeGreaterThan(100);
});

specify('getEventCreators', {
  route: 'GET /api/admin/event-creators',
  may: 'any token',
  given: (world) => world.feature(),
});

test('Everybody who made a change is listed once, by name', async ({ service }) => {
  const token = await newTokenOf(service, { username: 'zoe', rootRole: 'Editor' });
  for (const name of ['one', 'two']) {
    await service.post('/api/admin/projects/default/features', { name }, { token });
  }
  const { body } = await service.get('/api/admin/event-creators');
  expect(body.filter(({ name }: { name: string }) => name === 'zoe')).toEqual([
    { id: expect.any(Number), name: 'zoe' },
  ]);
  expect(body).toContainEqual({ id: -1337, name: 'unleash_system_user' });
  const names = body.map(({ name }: { name: string }) => name);
  expect(names).toEqual(names.toSorted((a: string, b: string) => a.localeCompare(b)));
});

test('Who made a change has their present name', async ({ service }) => {
  const token = await newTokenOf(service, { username: 'ines', rootRole: 'Editor' });
  await service.post('/api/admin/projects/default/features', { name: 'of-ines' }, { token });
  const { body: users } = await service.get('/api/admin/user-admin');
  const { id } = users.users.find(({ username }: { username: string }) => username === 'ines');
  await service.put(`/api/admin/user-admin/${id}`, { name: 'Inês Duarte' });
  const { body } = await service.get('/api/admin/event-creators');
  expect(body).toContainEqual({ id, name: 'Inês Duarte' });
});

specify('searchEvents', {
  route: 'GET /api/admin/search/events',
  may: 'any token',
  request: async (world) => {
    const { projectId } = await world.projectWithFeature({ on: true });
    return { query: { project: `IS:${projectId}`, from: 'IS:2026-01-01', to: 'IS:2126-01-01', offset: 0, limit: 25 } };
  },
  others: {
    'of one feature': async (world) => ({ query: { feature: `IS:${(await world.feature()).name}` } }),
    // The newest events are read to look for it, and then those of the page.
    'with a text': async (world) => ({ query: { query: (await world.feature()).name }, waits: 3 }),
  },
  // The newest events are looked up, and then read.
  waits: 2,
});

describe('A search for events', () => {
  let zoe: number;
  const service = sharedService();
  beforeAll(async () => {
    const token = await newTokenOf(service, { username: 'zoe', rootRole: 'Editor' });
    const features = '/api/admin/projects/default/features';
    await service.post(features, { name: 'alpha', description: 'The Beginning' }, { token });
    await service.post(`${features}/alpha/environments/development/on`, {}, { token });
    await service.post(features, { name: 'omega' });
    await service.post('/api/admin/tag-types', { name: 'team', description: 'of people' });
    const { body } = await service.get('/api/admin/search/events?type=IS:feature-created&feature=IS:alpha');
    zoe = body.events[0].createdByUserId;
  });

  const search = async (query: string) => (await service.get(`/api/admin/search/events?${query}`)).body;
  const typesOf = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);

  test.each([
    ['type=IS:tag-type-created&query=team', ['tag-type-created']],
    [
      'type=IS_ANY_OF:tag-type-created,feature-environment-enabled&from=IS:2026-01-01',
      ['tag-type-created', 'feature-environment-enabled', 'tag-type-created'],
    ],
    ['feature=IS:omega', ['feature-created']],
    ['feature=IS_ANY_OF:omega,alpha&type=IS:feature-created', ['feature-created', 'feature-created']],
    [
      'feature=IS:alpha&environment=IS:development&type=IS:feature-environment-enabled',
      ['feature-environment-enabled'],
    ],
    ['query=the%20beginning', ['feature-created']],
    ['query=OMEGA', ['feature-created']],
    ['type=IS_NONE_OF:feature-created&feature=IS:omega', []],
    ['type=IS_NONE_OF:feature-environment-enabled,strategy-order-changed&feature=IS:omega', ['feature-created']],
    ['type=IS:nothing-known', []],
    ['project=IS:nowhere', []],
    ['feature=IS:a%23b', []],
    ['groupId=IS:none', []],
  ])('finds by %s', async (query, types) => {
    const found = await search(query);
    expect(typesOf(found)).toEqual(types);
    expect(found.total).toBe(types.length);
  });

  test('groups the events that one change has made, by feature and among all, and finds them by their group', async () => {
    const name = 'grouped';
    await service.post('/api/admin/projects/default/features', { name });
    await service.put(paths.feature(name), { description: 'Two things at once', stale: true });
    for (const filter of [`feature=IS:${name}`, 'project=IS:default']) {
      const [stale, updated, ...others] = (await search(`${filter}&limit=3`)).events;
      expect([stale, updated]).toMatchObject([{ groupType: 'transaction' }, { groupType: 'transaction' }]);
      expect(stale.groupId).toBe(updated.groupId);
      expect(others.map(({ groupId }: { groupId: string }) => groupId)).not.toContain(stale.groupId);
      expect((await search(`groupId=IS:${stale.groupId}`)).total).toBe(2);
    }
  });

  test('says what each event is called, and in a sentence who did what', async () => {
    const { events } = await search('type=IS_ANY_OF:tag-type-created,feature-environment-enabled&from=IS:2026-01-01');
    expect(events.map(({ label, summary }: { label: string; summary: string }) => [label, summary])).toContainEqual([
      'Flag enabled',
      '**zoe** switched on **alpha** in **development** of the project **default**',
    ]);
    expect(events[0]).toMatchObject({
      label: 'Tag type created',
      summary: expect.stringMatching(/: Tag type created \*\*team\*\*$/),
    });
  });

  test('finds by author, and by id', async () => {
    const ofZoe = await search(`createdBy=IS:${zoe}`);
    expect(ofZoe.events.every(({ createdBy }: { createdBy: string }) => createdBy === 'zoe')).toBe(true);
    expect(typesOf(ofZoe)).toContain('feature-environment-enabled');
    const [{ id }] = ofZoe.events;
    expect(await search(`id=IS:${id}`)).toEqual({ events: [ofZoe.events[0]], total: 1 });
  });

  test('finds by days, both of them included', async () => {
    const { events, total } = await search('limit=1000');
    // A midnight may lie between them.
    const [first, last] = [events.at(-1), events[0]].map(({ createdAt }) => createdAt.slice(0, 10));
    const dayAfter = (day: string, days: number) =>
      new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
    for (const [query, expected] of [
      [`from=IS:${first}&to=IS:${last}`, total],
      [`from=IS:${dayAfter(last, 1)}`, 0],
      [`to=IS:${dayAfter(first, -1)}`, 0],
      [`from=IS:${dayAfter(last, 1)}&to=IS:${dayAfter(first, -1)}`, 0],
      [`from=IS:${dayAfter(first, -400)}&to=IS:${dayAfter(last, 1)}`, total],
      [`feature=IS:alpha&to=IS:${dayAfter(first, -1)}`, 0],
    ] as const) {
      expect((await search(query)).total, query).toBe(expected);
    }
  });

  test('finds by times, as events have them, both of them included', async () => {
    const { events, total } = await search('limit=1000');
    const time: string = events[1].createdAt;
    const day = time.slice(0, 10);
    const since = events.filter(({ createdAt }: { createdAt: string }) => createdAt >= time).length;
    const until = events.filter(({ createdAt }: { createdAt: string }) => createdAt <= time).length;
    for (const [query, expected] of [
      [`from=IS:${time}`, since],
      [`to=IS:${time}`, until],
      [`from=IS:${time}&to=IS:${time}`, since + until - total],
      [
        `from=IS:${time}&to=IS:${day}`,
        events.filter(({ createdAt }: { createdAt: string }) => createdAt >= time && createdAt.startsWith(day)).length,
      ],
    ] as const) {
      expect((await search(query)).total, query).toBe(expected);
    }
  });

  test('pages through all, each event once, the newest first', async () => {
    const whole = await search('limit=1000');
    expect(whole.events).toHaveLength(whole.total);
    const paged: unknown[] = [];
    for (let offset = 0; offset < whole.total; offset += 7) {
      const page = await search(`offset=${offset}&limit=7`);
      expect(page.total).toBe(whole.total);
      paged.push(...page.events);
    }
    expect(paged).toEqual(whole.events);
    const times = whole.events.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('says what is wrong with every filter', async () => {
    const query = 'type=IS_NOT:a&from=2026-01-01&to=IS:soon&createdBy=IS:me&limit=1001&offset=-1&id=IS:x';
    const refused = await service.get(`/api/admin/search/events?${query}`);
    expect(problemPaths(refused)).toEqual(['createdBy', 'from', 'id', 'limit', 'offset', 'to', 'type']);
  });

  test('A search answers as many events as an answer holds, with all that it says of them', async () => {
    const busy = await freshService();
    const longest = '_'.repeat(100);
    const made = Array.from({ length: 1_000 }, () => ({
      ...{ type: 'feature-created' as const, project: longest, environment: longest, featureName: longest },
      data: { description: 'x'.repeat(2_950) },
    }));
    const events = stampEvents(
      made,
      1_000_000,
      permitForOwnData({ id: 1, name: '_'.repeat(254) }),
      new Date().toISOString(),
    );
    for (const write of serviceEventWrites(events)) await transact(busy.table, [write], undefined);
    const { status, body } = await busy.get('/api/admin/search/events?limit=1000');
    expect(status).toBe(200);
    expect(body.events.length).toBeGreaterThan(500);
    expect(body.events.length).toBeLessThan(1_000);
  });

  test('A search holds few changes at a time, which may be large, however many it looks for text in', async () => {
    const busy = await freshService();
    const author = permitForOwnData({ id: 1, name: 'zoe' });
    for (let first = 1_000; first < 1_120; first += 1) {
      const event = { type: 'tag-type-created' as const, data: { name: 'team' } };
      const events = stampEvents([event], first, author, new Date(first).toISOString());
      await transact(busy.table, serviceEventWrites(events), undefined);
    }
    for (const query of ['query=nothing', 'query=team&limit=1000', 'limit=1000']) {
      const requests = await recordStoreRequests(busy.table, () => busy.get(`/api/admin/search/events?${query}`));
      const reads = requests.filter(({ command }) => command === 'BatchGet');
      const waves = Map.groupBy(reads, ({ wave }) => wave).values();
      const amounts = [...waves].map((each) => each.flatMap(({ targets }) => targets).length);
      expect(Math.max(...amounts), query).toBeLessThanOrEqual(50);
    }
  });
});
