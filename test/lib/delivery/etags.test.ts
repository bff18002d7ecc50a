import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serveFeatures } from '../../../lib/delivery/client-features.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { costOf } from '../../bench/cost/measure.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { withFault } from '../../harness/faults.ts';
import { paths } from '../../harness/features.ts';
import type { Reply } from '../../harness/gateway.ts';
import { stoppedClock } from '../../harness/stopped-clock.ts';
import { worldForEach } from '../../specifications/specify.ts';

const seed = readSeed({ projects: [{ id: 'shop', environments: ['development', 'production'] }] });
const { service, world } = worldForEach(seed);

/** The time after which a process has asked the store whether anything has changed. */
const checkedMs = 1_300;
const knowsSegments = { 'unleash-client-spec': '5.2.0' };
const scope = { projects: ['default'], environment: 'development' };

/** Polls as an SDK on a server does. */
const poll = (token: string, ifNoneMatch?: string, query = '') =>
  service.get(`/api/client/features${query}`, {
    token,
    headers: { ...knowsSegments, ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) },
  });

/** The answer of a process that has just started. */
const askAnew = (ifNoneMatch: string, asked = scope) =>
  serveFeatures(anotherProcess(service.table), asked, { query: {}, segmentsApart: true, ifNoneMatch });

const unusedConstraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];

describe('An SDK is answered 304 with the ETag that it has after', () => {
  const changes: readonly (readonly [title: string, change: (feature: string) => Promise<unknown>])[] = [
    ['a change in another environment', (name) => world.ask('POST', paths.on('production'), { features: [name] })],
    ['a new feature in another project', () => world.feature({ project: 'shop', on: true })],
    ['a new segment that nothing uses', () => world.segment({ constraints: unusedConstraints })],
    ['a tag that it did not ask for', (name) => world.ask('POST', paths.tags(name), { type: 'simple', value: 'new' })],
    [
      'a switch there and back',
      async (name) => {
        await world.ask('POST', paths.off(), { features: [name] });
        await world.ask('POST', paths.on(), { features: [name] });
      },
    ],
  ];

  test.each(changes)('%s, from this process and from one that has just started', async (_, change) => {
    const { name } = await world.feature({ on: true });
    const token = await world.clientToken(scope);
    using clock = stoppedClock();
    const { etag = '' } = (await poll(token)).headers;
    await change(name);
    clock.pass(checkedMs);
    // Twice, since the second one repeats the first.
    for (const _ of ['first', 'second']) {
      expect(await poll(token, etag)).toMatchObject({ status: 304, text: '', headers: { etag } });
    }
    expect((await askAnew(etag)).etag).toBe(etag);
  });

  test('a switch and its return, with the ETag of the first state', async () => {
    const { name } = await world.feature({ on: true });
    const token = await world.clientToken(scope);
    using clock = stoppedClock();
    const { etag = '' } = (await poll(token)).headers;
    await world.ask('POST', paths.off(), { features: [name] });
    clock.pass(checkedMs);
    const off = await poll(token, etag);
    expect(off).toMatchObject({ status: 200, body: { features: [{ enabled: false }] } });
    await world.ask('POST', paths.on(), { features: [name] });
    clock.pass(checkedMs);
    expect(await poll(token, off.headers.etag)).toMatchObject({ status: 200, body: { features: [{ enabled: true }] } });
    const both = `W/"other", ${etag}`;
    expect(await poll(token, both)).toMatchObject({ status: 304, headers: { etag } });
  });
});

test('A release before sent ETags with a shorter hash, which lead to one full answer', async () => {
  await world.feature({ on: true });
  const token = await world.clientToken(scope);
  const { headers } = await poll(token);
  const { etag = '' } = headers;
  const earlier = `${etag.slice(0, etag.lastIndexOf(':') + 1)}0123abcd"`;
  const full = await poll(token, earlier);
  expect(full).toMatchObject({ status: 200, headers: { etag } });
  expect((await poll(token, full.headers.etag)).status).toBe(304);
});

describe('A number that somebody makes up in an ETag', () => {
  const inTheFuture = (etag: string) => etag.replace(/:\d+:/, ':999999999999999:');
  const ofOtherContent = (etag: string) => etag.replace(/:[\w-]+"$/, ':AAAAAAAAAAAAAAAA"');

  test('raises no revision of the service, and lets the process serve nobody an earlier state than before', async () => {
    const { name } = await world.feature({ on: true });
    const [behind, ahead] = [anotherProcess(service.table), anotherProcess(service.table)];
    const ask = (table: typeof behind, ifNoneMatch = '') =>
      serveFeatures(table, scope, { query: {}, segmentsApart: true, ifNoneMatch });
    using clock = stoppedClock();
    const first = await ask(behind);
    const forged = ofOtherContent(inTheFuture(first.etag));
    clock.pass(1);
    expect((await ask(behind, forged)).etag).toBe(first.etag);
    await world.ask('POST', paths.off(), { features: [name] });
    const seen = await ask(ahead);
    expect(seen.etag).not.toBe(first.etag);
    clock.pass(1);
    expect((await ask(behind, seen.etag)).etag).toBe(seen.etag);
    const revision = ({ text }: { text: string }) => JSON.parse(text).meta.revisionId;
    expect(revision(await ask(behind))).toBe(revision(seen));
  });

  test('asks the store only if the content differs, and then gets the new content', async () => {
    await world.feature({ on: true });
    const { table } = service;
    using clock = stoppedClock();
    const { etag } = await serveFeatures(table, scope, { query: {}, segmentsApart: true });
    const ask = async (ifNoneMatch: string) => {
      let answer = '';
      clock.pass(1);
      const { requests } = await costOf(table, async () => {
        answer = (await serveFeatures(table, scope, { query: {}, segmentsApart: true, ifNoneMatch })).etag;
      });
      return { requests, answer };
    };
    expect(await ask(inTheFuture(etag))).toEqual({ requests: 0, answer: inTheFuture(etag) });
    expect(await ask(ofOtherContent(inTheFuture(etag)))).toEqual({ requests: 2, answer: etag });
    // The ETag of another query says nothing of this one.
    expect(await ask(ofOtherContent(inTheFuture(etag)).replace(/"[\da-f]{8}/, '"00000000'))).toMatchObject({
      requests: 0,
    });
  });
});

test('An SDK goes on with its ETag while the store is away, also in a process that has seen fewer changes', async () => {
  const { name } = await world.feature({ on: true });
  const behind = anotherProcess(service.table);
  const ask = (ifNoneMatch: string) => serveFeatures(behind, scope, { query: {}, segmentsApart: true, ifNoneMatch });
  const { etag } = await ask('');
  await world.ask('POST', paths.on('production'), { features: [name] });
  const later = (await askAnew('')).etag;
  expect(later).not.toBe(etag);
  const fault = { request: 'Query', failure: 'lost answer', times: Number.POSITIVE_INFINITY } as const;
  await withFault(service.table, fault, async () => {
    expect((await ask(later)).etag).toBe(later);
  });
});

describe('Whatever changes', () => {
  /** A feature of which the project changes, and whether it is archived. */
  interface Place {
    readonly name: string;
    project: 'default' | 'shop';
    isArchived: boolean;
  }

  /** Changes of a feature; a number chooses between two. */
  const kinds: Readonly<Record<string, (place: Place, number: number) => Promise<unknown>>> = {
    development: ({ name, project }, number) => world.ask('POST', switched(name, number, 'development', project)),
    production: ({ name, project }, number) => world.ask('POST', switched(name, number, 'production', project)),
    description: ({ name, project }, number) =>
      world.ask('PUT', paths.feature(name, project), { description: `description ${number}` }),
    tag: ({ name }, number) => {
      const tag = { type: 'simple', value: 'wanted' };
      const body = number === 0 ? { addedTags: [tag], removedTags: [] } : { addedTags: [], removedTags: [tag] };
      return world.ask('PUT', paths.tags(name), body);
    },
    archive: (place) => {
      place.isArchived = true;
      return world.ask('DELETE', paths.feature(place.name, place.project));
    },
    move: (place) => {
      const path = `${paths.feature(place.name, place.project)}/changeProject`;
      place.project = place.project === 'default' ? 'shop' : 'default';
      return world.ask('POST', path, { newProjectId: place.project });
    },
  };
  const switched = (name: string, number: number, environment: string, project: string) =>
    paths.switch(name, number === 0 ? 'on' : 'off', environment, project);

  interface Change {
    readonly kind: string;
    readonly index: number;
    readonly number: number;
  }
  const change: fc.Arbitrary<Change> = fc.record({
    kind: fc.constantFrom(...Object.keys(kinds), 'segment'),
    index: fc.nat(2),
    number: fc.nat(1),
  });

  type Ask = (headers: Readonly<Record<string, string>>) => Promise<Reply>;

  /** A caller that asks again and again, with all that it was sent, by the hash in the ETag. */
  class Poller {
    readonly #ask: Ask;
    readonly #sent = new Map<string, string>();
    #etag = '';
    #content = '';

    constructor(ask: Ask) {
      this.#ask = ask;
    }

    /** Asks for the content, then with the ETag that it has; tells whether it was sent anything. */
    async isSent(): Promise<boolean> {
      const whole = await this.#ask({});
      const { meta: _meta, ...others } = whole.body;
      const content = JSON.stringify(others);
      const hash = whole.headers.etag?.split(':').at(-1) ?? '';
      const known = [...this.#sent].find(([each, text]) => each === hash || text === content);
      expect(known ?? [hash, content]).toEqual([hash, content]);
      this.#sent.set(hash, content);
      const { status, headers, body } = await this.#ask({ 'if-none-match': this.#etag });
      if (this.#content === content) {
        expect([status, headers.etag]).toEqual([304, this.#etag]);
        return false;
      }
      expect([status, body]).toEqual([200, whole.body]);
      [this.#etag, this.#content] = [headers.etag ?? '', content];
      return true;
    }
  }

  test('the ETag stays the same if and only if the content does, for SDKs of servers, of pages and of OpenFeature', async () => {
    const segments = [await world.segment(), await world.segment()];
    const places = [await world.feature(), await world.feature(), await world.feature()].map(
      ({ name }): Place => ({ name, project: 'default', isArchived: false }),
    );
    const strategy = { name: 'default', segments: [segments[0]?.id] };
    await world.ask('POST', paths.strategies(places[0]?.name ?? ''), strategy);
    const [own, others, all, elsewhere, page] = await Promise.all([
      world.clientToken(scope),
      world.clientToken({ ...scope, projects: ['shop'] }),
      world.clientToken(),
      world.clientToken({ environment: 'production' }),
      world.frontendToken(),
    ]);
    const ofServer = (token: string, query = '', spec = knowsSegments) =>
      new Poller((headers) => service.get(`/api/client/features${query}`, { token, headers: { ...spec, ...headers } }));
    const context = { context: { targetingKey: '7' } };
    const pollers = [
      ...[own, others, all, elsewhere].map((token) => ofServer(token)),
      ofServer(all, '?tag=simple:wanted'),
      ofServer(all, '', { 'unleash-client-spec': '4.0.0' }),
      new Poller((headers) => service.get('/api/frontend?userId=7', { token: page, headers })),
      new Poller((headers) => service.post('/ofrep/v1/evaluate/flags', context, { token: page, headers })),
    ];
    using clock = stoppedClock();
    const counts = { sent: 0, unchanged: 0 };
    const pollAll = async () => {
      clock.pass(checkedMs);
      for (const isSent of await Promise.all(pollers.map((poller) => poller.isSent()))) {
        counts[isSent ? 'sent' : 'unchanged'] += 1;
      }
    };
    await pollAll();

    const carryOut = async ({ kind, index, number }: Change) => {
      const { id, name } = segments[number] as (typeof segments)[number];
      const constraints = [{ contextName: 'userId', operator: 'IN', values: [`${index + 6}`] }];
      if (kind === 'segment') return world.ask('PUT', `/api/admin/segments/${id}`, { name, constraints });
      const place = places[index] as Place;
      if (!place.isArchived) return kinds[kind]?.(place, number);
      place.isArchived = false;
      return world.ask('POST', paths.revived(place.name));
    };
    const property = fc.asyncProperty(fc.array(change, { minLength: 8, maxLength: 12 }), async (changes) => {
      for (const each of changes) {
        await carryOut(each);
        await pollAll();
      }
    });
    await fc.assert(property, { numRuns: 8, endOnFailure: true });
    expect(Math.min(counts.sent, counts.unchanged)).toBeGreaterThan(10);
  });
});
