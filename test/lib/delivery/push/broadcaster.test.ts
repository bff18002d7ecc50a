import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { findDeltaCache } from '../../../../lib/delivery/delta/find-delta-cache.ts';
import { parseTag } from '../../../../lib/delivery/delta/tag.ts';
import { Broadcaster, type BroadcasterOptions, type StreamRequest } from '../../../../lib/delivery/push/broadcaster.ts';
import { changes, type Messages, signals } from '../../../../lib/delivery/push/messages.ts';
import { loadFreshSnapshot } from '../../../../lib/delivery/snapshot/load-snapshot.ts';
import { identify } from '../../../../lib/identity/caller.ts';
import { identityTrustMs } from '../../../../lib/identity/identity-memory.ts';
import type { TokenScope } from '../../../../lib/identity/tokens/token.ts';
import { revokeToken, scopeOf, type Token, tokenIdOf } from '../../../../lib/identity/tokens/tokens.ts';
import { readSeed } from '../../../../lib/imports/seed/seed-data.ts';
import type { Request } from '../../../../lib/request.ts';
import { anotherProcess } from '../../../harness/another-process.ts';
import { withFault } from '../../../harness/faults.ts';
import { paths } from '../../../harness/features.ts';
import { Follower } from '../../../harness/follower.ts';
import { recordStoreRequests } from '../../../harness/store-requests.ts';
import { serveStreamsHere } from '../../../harness/streams.ts';
import { worldForEach } from '../../../specifications/specify.ts';

const seed = readSeed({ projects: [{ id: 'shop', environments: ['development', 'production'] }] });
const { service, world } = worldForEach(seed);

const warn = (error: unknown) => {
  throw error;
};
/** A broadcaster that hears of changes only when a test says so. */
const deafBroadcaster = (table: Request = service.table, options: Partial<BroadcasterOptions> = {}) =>
  new Broadcaster(table, { streamsMax: 1_000, warn, ...options });

interface Wish {
  readonly scope?: Partial<TokenScope>;
  readonly secret?: string;
  readonly lastId?: string;
  readonly clientId?: string;
  readonly messages?: Messages;
}

async function prepareWish({ scope, secret, lastId, clientId, messages = changes }: Wish): Promise<StreamRequest> {
  const token = (await identify(service.table, secret ?? (await world.clientToken(scope)))) as Token;
  return { token, scope: scopeOf(token) as TokenScope, messages, tag: parseTag(lastId), clientId };
}

async function connect(broadcaster: Broadcaster, wish: Wish = {}): Promise<Follower> {
  return new Follower().follow(await broadcaster.open(await prepareWish(wish)));
}

const turn = (name: string, to: 'on' | 'off', environment = 'development') =>
  world.ask('POST', paths[to](environment), { features: [name] });
const typesIn = ({ events }: Follower) =>
  events.map(({ data }) =>
    JSON.parse(data)
      .events.map(({ type }: { readonly type: string }) => type)
      .join(),
  );

describe('A client of a stream', () => {
  test('gets everything at first, and then each change', async () => {
    const broadcaster = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    await world.feature();
    const follower = await connect(broadcaster);
    expect(follower.events).toMatchObject([{ name: 'unleash-connected', id: follower.lastId }]);
    await turn(name, 'off');
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
    expect(typesIn(follower)).toEqual(['hydration', 'feature-updated']);
    expect(follower.events[1]).toMatchObject({ name: 'unleash-updated', id: follower.lastId });
  });

  test('hears nothing of another project or of another environment', async () => {
    const broadcaster = deafBroadcaster();
    const { name } = await world.feature({ on: true });
    const followers = [
      await connect(broadcaster, { scope: { projects: ['default'] } }),
      await connect(broadcaster, { scope: { environment: 'production' } }),
    ];
    await turn(name, 'off', 'production');
    const other = await world.feature({ project: 'shop', on: true });
    broadcaster.lookForChanges();
    await vi.waitFor(() => expect(followers[1]?.features.has(other.name)).toBe(true));
    expect(typesIn(followers[0] as Follower)).toEqual(['hydration']);
    expect(followers[1]?.text).toContain(other.name);
    expect(followers[0]?.text).not.toContain(other.name);
  });

  test('goes on where it was, without an event if nothing has changed, at another process, too', async () => {
    const broadcaster = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    await world.feature();
    const first = await connect(broadcaster);
    first.leave();
    const elsewhere = deafBroadcaster(anotherProcess(service.table));
    for (const place of [broadcaster, elsewhere])
      expect(typesIn(await connect(place, { lastId: first.lastId }))).toEqual(['']);
    const follower = await connect(broadcaster);
    await turn(name, 'off');
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
    expect(typesIn(await connect(broadcaster, { lastId: first.lastId }))).toEqual(['feature-updated']);
    const fresh = deafBroadcaster(anotherProcess(service.table));
    expect(typesIn(await connect(fresh, { lastId: first.lastId }))).toEqual(['hydration']);
  });

  test('never gets an earlier state than the one that it has from another process', async () => {
    const { name } = await world.feature({ on: true });
    const behind = deafBroadcaster(anotherProcess(service.table));
    await connect(behind);
    await turn(name, 'off');
    const { lastId } = await connect(deafBroadcaster(anotherProcess(service.table)));
    const follower = await connect(behind, { lastId });
    expect(typesIn(follower)).toEqual(['']);
    expect(follower.lastId.split(':')[1]).toBe(lastId.split(':')[1]);
  });

  test('that claims a later state than there is has the store read, once for all that claim it at the same time', async () => {
    const broadcaster = deafBroadcaster();
    await connect(broadcaster);
    const wish = await prepareWish({ lastId: '99999999999999:AAAAAAAAAAAAAAAA' });
    const claim = (times: number) => Promise.all(Array.from({ length: times }, () => broadcaster.open(wish)));
    await claim(1);
    const requestsFor = async (times: number) =>
      (await recordStoreRequests(service.table, async () => void (await claim(times)))).length;
    const forOne = await requestsFor(1);
    expect(forOne).toBeGreaterThan(0);
    expect(await requestsFor(50)).toBe(forOne);
  });

  test('comes back to a state that others never left, though it connected to a later one', async () => {
    const broadcaster = deafBroadcaster();
    const { name } = await world.feature({ on: true });
    const scope = { projects: ['default'], environment: 'development' };
    const early = await connect(broadcaster, { scope });
    await turn(name, 'off');
    // A poll moves on the delta cache that it shares with streams.
    findDeltaCache(await loadFreshSnapshot(service.table, scope), scope);
    const late = await connect(broadcaster, { scope });
    expect(late.features.get(name)).toMatchObject({ enabled: false });
    await turn(name, 'on');
    broadcaster.lookForChanges();
    await vi.waitFor(() => expect(late.features.get(name)).toMatchObject({ enabled: true }));
    expect(early.features.get(name)).toMatchObject({ enabled: true });
    expect(typesIn(early)).toEqual(['hydration']);
  });

  test('gets only what changes, however many queries others poll with', async () => {
    const broadcaster = deafBroadcaster();
    const { name } = await world.feature({ on: true });
    await world.feature();
    const token = await world.clientToken();
    const follower = await connect(broadcaster, { secret: token });
    for (const [index] of Array.from({ length: 60 }).entries())
      await service.get(`/api/client/delta?namePrefix=${index}`, { token });
    await turn(name, 'off');
    broadcaster.lookForChanges();
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
    expect(typesIn(follower)).toEqual(['hydration', 'feature-updated']);
  });

  test('hears of changes of other processes when the clock of its own ticks', async () => {
    const broadcaster = deafBroadcaster(anotherProcess(service.table));
    const { name } = await world.feature({ on: true });
    const follower = await connect(broadcaster);
    await turn(name, 'off');
    broadcaster.tick();
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
  });

  test('stays connected while the store is away, and then gets what it missed', async () => {
    const broadcaster = deafBroadcaster();
    const { name } = await world.feature({ on: true });
    const follower = await connect(broadcaster);
    await turn(name, 'off');
    const fault = { request: 'Query', failure: 'lost answer', times: Number.POSITIVE_INFINITY } as const;
    await withFault(service.table, fault, async () => {
      broadcaster.tick();
      await vi.waitFor(() => expect(broadcaster.size).toBe(1));
    });
    broadcaster.tick();
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
    expect(follower.isEnded).toBe(false);
  });

  test('gets a comment within 15 ticks, so that no proxy closes its connection', async () => {
    const broadcaster = deafBroadcaster();
    const followers = [await connect(broadcaster), await connect(broadcaster)];
    for (let tick = 0; tick < 15; tick += 1) broadcaster.tick();
    expect(followers.map(({ text }) => text.split(':\n\n').length - 1)).toEqual([1, 1]);
  });
});

describe('The token of a stream', () => {
  test('is checked as long as the stream is open: it ends if the token is deleted, here or by another process', async () => {
    const broadcasters = [deafBroadcaster(), deafBroadcaster(anotherProcess(service.table))];
    const secret = await world.clientToken();
    const followers = await Promise.all(broadcasters.map((broadcaster) => connect(broadcaster, { secret })));
    const others = await Promise.all(broadcasters.map((broadcaster) => connect(broadcaster)));
    const token = (await identify(service.table, secret)) as Token;
    await revokeToken(service.table, tokenIdOf(token.hash));
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + identityTrustMs);
    for (const broadcaster of broadcasters) broadcaster.tick();
    await vi.waitFor(() => expect(followers.map(({ isEnded }) => isEnded)).toEqual([true, true]));
    expect(others.map(({ isEnded }) => isEnded)).toEqual([false, false]);
    expect(broadcasters.map(({ size }) => size)).toEqual([1, 1]);
  });

  test('ends its streams when it expires', async () => {
    const broadcaster = deafBroadcaster();
    const body = { tokenName: 'short', type: 'client', environment: 'development', projects: ['*'] };
    const expiresAt = '2100-01-01T00:00:00.000Z';
    const { secret } = (await world.ask('POST', '/api/admin/api-tokens', { ...body, expiresAt })).body;
    const follower = await connect(broadcaster, { secret });
    vi.setSystemTime('2100-01-01T00:00:01Z');
    onTestFinished(() => void vi.useRealTimers());
    broadcaster.tick();
    await vi.waitFor(() => expect(follower.isEnded).toBe(true));
  });
});

describe('The limits of streams', () => {
  /** Returns the refusal of a client, without the seconds for which it is held back. */
  async function refusalFor(broadcaster: Broadcaster, wish: Wish = {}): Promise<unknown> {
    const wanted = await prepareWish(wish);
    const refused = broadcaster.open(wanted).catch((error: unknown) => error);
    broadcaster.close();
    return refused;
  }

  test('refuse more streams than a server may have, and more than 90 % of them for one token', async () => {
    const secret = await world.clientToken();
    const broadcaster = deafBroadcaster(service.table, { streamsMax: 2 });
    await connect(broadcaster, { secret });
    expect(await refusalFor(broadcaster, { secret })).toMatchObject({ name: 'TooManyRequests' });

    const full = deafBroadcaster(service.table, { streamsMax: 2 });
    await connect(full, { secret });
    const last = await connect(full);
    last.leave();
    await connect(full);
    expect(await refusalFor(full)).toMatchObject({ name: 'TooManyRequests' });
  });

  test('leave room for servers, however many pages connect with public tokens', async () => {
    const broadcaster = deafBroadcaster(service.table, { streamsMax: 3 });
    for (let page = 0; page < 2; page += 1)
      await connect(broadcaster, { secret: await world.frontendToken(), messages: signals });
    await connect(broadcaster);
    const full = deafBroadcaster(service.table, { streamsMax: 3 });
    for (let page = 0; page < 2; page += 1)
      await connect(full, { secret: await world.frontendToken(), messages: signals });
    const secret = await world.frontendToken();
    expect(await refusalFor(full, { secret, messages: signals })).toMatchObject({ name: 'TooManyRequests' });
  });

  test('refuse a client that connects more than ten times in ten seconds, but no other client', async () => {
    const broadcaster = deafBroadcaster();
    const secret = await world.clientToken();
    for (let count = 0; count < 10; count += 1) (await connect(broadcaster, { secret, clientId: 'one' })).leave();
    await connect(broadcaster, { secret, clientId: 'two' });
    expect(await refusalFor(broadcaster, { secret, clientId: 'one' })).toMatchObject({ name: 'TooManyRequests' });
  });

  test('end all streams when the server stops, and let none begin after it', async () => {
    const broadcaster = deafBroadcaster();
    const follower = await connect(broadcaster);
    broadcaster.close();
    expect(follower.isEnded).toBe(true);
    expect((await connect(broadcaster)).isEnded).toBe(true);
    expect(broadcaster.size).toBe(0);
  });
});

describe('A provider of OpenFeature', () => {
  const signalsIn = (follower: Follower) => follower.events.map(({ data }) => JSON.parse(data));

  test('is told to evaluate again after each change, without any name', async () => {
    const broadcaster = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    const follower = await connect(broadcaster, { messages: signals });
    const before = follower.events.length;
    await turn(name, 'off');
    await vi.waitFor(() => expect(follower.events.length).toBe(before + 1));
    expect(signalsIn(follower).at(-1)).toEqual({ type: 'refetchEvaluation', etag: follower.lastId });
    expect(follower.text).not.toContain(name);
  });

  test('is told later if more than 300 pages would evaluate at once, but within five seconds', async () => {
    expect([300, 600, 1_500, 10_000].map((pages) => signals.spread(pages))).toEqual([0, 2_000, 5_000, 5_000]);
    expect(changes.spread(10_000)).toBe(0);
    const broadcaster = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    const secret = await world.clientToken();
    const pages = await Promise.all(
      Array.from({ length: 301 }, () => connect(broadcaster, { secret, messages: signals })),
    );
    const countTold = () => pages.filter((page) => signalsIn(page).length > 1).length;
    await turn(name, 'off');
    await vi.waitFor(() => expect(countTold()).toBeGreaterThan(0));
    expect(countTold()).toBeLessThan(301);
    await vi.waitFor(() => expect(countTold()).toBe(301), 10_000);
  });

  test('is told so when it connects, unless it has the present state or has just evaluated a state that is old', async () => {
    const broadcaster = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    const first = await connect(broadcaster, { messages: signals });
    const { lastId } = first;
    expect(signalsIn(first)).toMatchObject([{ type: 'refetchEvaluation' }]);
    expect(signalsIn(await connect(broadcaster, { messages: signals, lastId }))).toEqual([]);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 31_000);
    const settled = await connect(broadcaster, { messages: signals });
    expect(signalsIn(settled)).toEqual([]);
    expect(settled.lastId).toBe(lastId);
    vi.restoreAllMocks();
    await turn(name, 'off');
    await vi.waitFor(() => expect(signalsIn(settled)).toHaveLength(1));
    expect(signalsIn(await connect(broadcaster, { messages: signals, lastId }))).toHaveLength(1);
  });
});
