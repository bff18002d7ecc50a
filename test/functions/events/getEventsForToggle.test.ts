import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  addFeatures,
  featureEventsOf,
  importFileParts,
  newTokenOf,
  paths,
  problemPaths,
  readFeature,
  shopSeed,
  someOf,
  unknownNames,
} from '../../harness/features.ts';
import { interceptRequests } from '../../harness/intercept.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('getEventsForToggle', {
  route: 'GET /api/admin/events/{featureName}',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature()).place }),
  takesAnyName: ['featureName'],
});

/** Lambda's limit of an answer: 6 MB as it is written into a JSON text. */
const lambdaAnswerBytesMax = 6_291_556;

const service = sharedService(shopSeed);

const page = async (name: string, query: string) => {
  const { status, body } = await service.get(paths.events(name, query));
  expect(status).toBe(200);
  return body;
};

/** Returns the limit of each page that the store was asked for while `action` ran, in items. */
async function pageSizesOf(action: () => Promise<unknown>): Promise<unknown[]> {
  const sizes: unknown[] = [];
  using _ = interceptRequests(service.table, ({ input: { Limit, ExpressionAttributeValues } }, next) => {
    // The token may have to be looked up again meanwhile.
    if (JSON.stringify(ExpressionAttributeValues)?.includes('#EVENTS')) sizes.push(Limit);
    return next();
  });
  await action();
  return sizes;
}

const ids = (events: readonly { id: number }[]) => events.map(({ id }) => id);

describe('The events of a feature', () => {
  test('tell its whole story, each with the tags of its moment', async () => {
    const variant = { name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' };
    await addFeatures(service, ['parent']);
    await importFileParts(service, {
      features: [{ name: 'story', description: 'Once' }],
      featureTags: [{ featureName: 'story', tagValue: 'imported' }],
      featureStrategies: [{ name: 'default', featureName: 'story' }],
      featureEnvironments: [{ featureName: 'story', name: 'any', enabled: true, variants: [variant] }],
      dependencies: [{ feature: 'story', dependencies: [{ feature: 'parent' }] }],
    });
    await service.post(paths.tags('story'), { value: 'added', type: 'team' });
    await service.put(paths.feature('story'), { stale: true, archived: true });
    await service.put(paths.feature('story'), { archived: false, stale: false });
    await service.post(paths.strategies('story'), { name: 'default' });
    await service.post(paths.off(), { features: ['story'] });
    await importFileParts(service, { features: [{ name: 'story' }], featureTags: [] });

    const imported = { value: 'imported', type: 'simple' };
    const both = [imported, { value: 'added', type: 'team' }];
    const events = await featureEventsOf(service, 'story');
    expect(events.map(({ type, tags, environment }) => [type, tags, environment])).toEqual([
      ['feature-created', [], null],
      ['feature-environment-variants-updated', [], 'development'],
      ['feature-tagged', [imported], null],
      ['feature-strategy-add', [imported], 'development'],
      ['feature-environment-enabled', [imported], 'development'],
      ['feature-dependency-added', [imported], null],
      ['feature-tagged', both, null],
      ['feature-metadata-updated', both, null],
      ['feature-stale-on', both, null],
      ['feature-archived', both, null],
      ['feature-metadata-updated', both, null],
      ['feature-stale-off', both, null],
      ['feature-revived', both, null],
      ['feature-strategy-add', both, 'development'],
      ['feature-environment-disabled', both, 'development'],
      ['feature-untagged', [both[1]], null],
      ['feature-untagged', [], null],
      ['feature-strategy-remove', [], 'development'],
      ['feature-strategy-remove', [], 'development'],
    ]);
    for (const { project, createdBy, createdByUserId } of events) {
      expect([project, createdBy, createdByUserId]).toEqual(['default', 'admin', -42]);
    }
  });

  test('carry every field, null where there is nothing to tell', async () => {
    await addFeatures(service, ['fields'], { project: 'shop' });
    const { createdAt } = await readFeature(service, 'fields', 'shop');
    const { body } = await service.get(paths.events('fields'));
    const author = { createdBy: 'admin', createdByUserId: -42 };
    const nothing = { environment: null, preData: null, tags: [] };
    const times = { createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) };
    const data = expect.objectContaining({
      name: 'fields',
      type: 'release',
      createdAt,
      lastSeenAt: null,
      archived: false,
    });
    const event = { id: expect.any(Number), type: 'feature-created', featureName: 'fields', project: 'shop', data };
    const events = [{ ...event, ...author, ...nothing, ...times }];
    expect(body).toEqual({ version: 1, toggleName: 'fields', totalEvents: 1, events });
  });

  test('are signed with the e-mail address of a user, else the user name, else the name of the token', async () => {
    await addFeatures(service, ['signed']);
    const { body: access } = await service.get('/api/admin/user-admin/access');
    const idOf = (username: string) =>
      access.users.find((user: { username: string }) => user.username === username)?.id as number;
    for (const username of ['alice', 'bob']) {
      const token = await newTokenOf(service, { username });
      await service.post(paths.tags('signed'), { value: username }, { token });
    }
    const signatures = (await featureEventsOf(service, 'signed')).map((event) => [
      event.createdBy,
      event.createdByUserId,
    ]);
    expect(signatures).toEqual([
      ['admin', -42],
      ['alice@example.com', idOf('alice')],
      ['bob', idOf('bob')],
    ]);
  });

  test.each(unknownNames)('are none for the unknown feature %j', async (_title, name) => {
    const { status, body } = await service.get(paths.events(name));
    expect([status, body]).toEqual([200, { version: 1, toggleName: name, events: [], totalEvents: 0 }]);
    expect((await page(name, '?limit=5&before=10')).events).toEqual([]);
  });
});

describe('A page of the events of a feature', () => {
  let all: number[];

  beforeAll(async () => {
    await addFeatures(service, ['paged']);
    // Some are written alone, some three together.
    for (let round = 0; round < 4; round += 1) {
      await service.put(paths.feature('paged'), { stale: round % 2 === 0, archived: round % 2 === 0 });
      await service.put(paths.feature('paged'), { description: `round ${round}` });
    }
    all = ids((await page('paged', '')).events);
    expect(all).toHaveLength(17);
  });

  test.each([5, 16, 17, 18])('by %i leads through all of them, each once', async (limit) => {
    const walked: number[] = [];
    for (let query = `?limit=${limit}`; ; query = `?limit=${limit}&before=${walked.at(-1)}`) {
      const { events, totalEvents } = await page('paged', query);
      expect(totalEvents).toBe(17);
      expect(events.length).toBeLessThanOrEqual(limit);
      if (events.length === 0) break;
      expect(events.length).toBe(Math.min(limit, all.length - walked.length));
      walked.push(...ids(events));
    }
    expect(walked).toEqual(all);
  });

  test('begins below any id, whether the feature has an event of it or not', async () => {
    for (const before of someOf(all, 8)) {
      const { events, totalEvents } = await page('paged', `?before=${before}`);
      expect(ids(events)).toEqual(all.filter((id) => id < before));
      expect(totalEvents).toBe(17);
    }
    expect((await page('paged', '?before=1')).events).toEqual([]);
    expect(ids((await page('paged', '?before=9007199254740991')).events)).toEqual(all);
    expect(ids((await page('paged', `?before=${(all[0] ?? 0) + 1}&limit=2`)).events)).toEqual(all.slice(0, 2));
  });

  test('is all of them for a query that it does not know', async () => {
    expect(ids((await page('paged', '?offset=5&Limit=2')).events)).toEqual(all);
  });

  // All texts that are no number for a query are in test/lib/values/primitives.test.ts.
  test.each(['paged', 'unknown'])('of %s is a 400 for a wrong limit and a wrong id, each named', async (name) => {
    const refused = await service.get(paths.events(name, '?limit=0&before=9007199254740992'));
    expect(problemPaths(refused)).toEqual(['before', 'limit']);
  });
});

describe('The answer with the events of a feature', () => {
  beforeAll(async () => {
    await addFeatures(service, ['large']);
    for (const letter of ['a', 'b']) {
      await service.put(paths.feature('large'), { description: letter.repeat(20_000) });
    }
  });

  test.each([
    ['gzip', true],
    ['br, gzip;q=0.5', true],
    ['*', true],
    ['GZIP', true],
    ['identity', false],
    ['gzip;q=0', false],
    ['br', false],
    [undefined, false],
  ])('is compressed for a client that accepts %j: %j', async (accepted, isCompressed) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const answer = await service.get(paths.events('large'), { headers });
    expect(answer.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect(answer.headers.vary).toBe(isCompressed ? 'accept-encoding' : undefined);
    expect(answer.body.events).toHaveLength(3);
  });

  test.each([
    ['letters of three bytes', '語', 62_000, 18],
    ['quotation marks, which are escaped twice', '"', 93_000, 12],
  ])('holds as many events as a Lambda answer, the others follow: %s', async (title, letter, length, rounds) => {
    const name = title.replaceAll(/\W/g, '-');
    await addFeatures(service, [name]);
    vi.stubEnv('BODY_LIMIT_BYTES', '1000000');
    // More than an answer holds, by a few.
    for (let round = 0; round < rounds; round += 1) {
      const description = `${round}`.padStart(2, '0') + letter.repeat(length);
      expect((await service.put(paths.feature(name), { description })).status).toBe(200);
    }
    const walked: number[] = [];
    let pages = 0;
    for (let query = ''; ; query = `?before=${walked.at(-1)}`) {
      const { status, text, body } = await service.get(paths.events(name, query));
      expect(status).toBe(200);
      expect(body.totalEvents).toBe(rounds + 1);
      expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(lambdaAnswerBytesMax);
      if (body.events.length === 0) break;
      pages += 1;
      walked.push(...ids(body.events));
    }
    expect(walked).toHaveLength(rounds + 1);
    expect(pages).toBeGreaterThan(1);
    expect(walked).toEqual(walked.toSorted((a, b) => b - a));
  });

  test('are asked for in pages that any store takes, however many are wanted', async () => {
    await addFeatures(service, ['modest']);
    for (const limit of [2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      const sizes = await pageSizesOf(async () => {
        expect((await page('modest', `?limit=${limit}`)).events).toHaveLength(1);
      });
      expect(sizes).toEqual([undefined]);
    }
    expect(await pageSizesOf(() => page('modest', '?limit=7'))).toEqual([7]);
  });
});
