import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseTag } from '../../../../lib/delivery/delta/tag.ts';
import { findView } from '../../../../lib/delivery/delta/views.ts';
import { Hub, type HubOptions, type StreamRequest } from '../../../../lib/delivery/push/hub.ts';
import { changes, type Messages, signals } from '../../../../lib/delivery/push/messages.ts';
import { loadFreshSnapshot } from '../../../../lib/delivery/snapshot/snapshot.ts';
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
/** A hub that hears of changes only when a test says so. */
const deafHub = (table: Request = service.table, options: Partial<HubOptions> = {}) =>
  new Hub(table, { streamsMax: 1_000, warn, ...options });

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

async function connect(hub: Hub, wish: Wish = {}): Promise<Follower> {
  return new Follower().follow(await hub.open(await prepareWish(wish)));
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
    const hub = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    await world.feature();
    const follower = await connect(hub);
    expect(follower.events).toMatchObject([{ name: 'unleash-connected', id: follower.lastId }]);
    await turn(name, 'off');
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
    expect(typesIn(follower)).toEqual(['hydration', 'feature-updated']);
    expect(follower.events[1]).toMatchObject({ name: 'unleash-updated', id: follower.lastId });
  });

  test('hears nothing of another project or of another environment', async () => {
    const hub = deafHub();
    const { name } = await world.feature({ on: true });
    const followers = [
      await connect(hub, { scope: { projects: ['default'] } }),
      await connect(hub, { scope: { environment: 'production' } }),
    ];
    await turn(name, 'off', 'production');
    const other = await world.feature({ project: 'shop', on: true });
    hub.lookForChanges();
    await vi.waitFor(() => expect(followers[1]?.features.has(other.name)).toBe(true));
    expect(typesIn(followers[0] as Follower)).toEqual(['hydration']);
    expect(followers[1]?.text).toContain(other.name);
    expect(followers[0]?.text).not.toContain(other.name);
  });

  test('goes on where it was, without an event if nothing has changed, at another process, too', async () => {
    const hub = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    await world.feature();
    const first = await connect(hub);
    first.leave();
    const elsewhere = deafHub(anotherProcess(service.table));
    for (const place of [hub, elsewhere]) expect(typesIn(await connect(place, { lastId: first.lastId }))).toEqual(['']);
    const follower = await connect(hub);
    await turn(name, 'off');
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
    expect(typesIn(await connect(hub, { lastId: first.lastId }))).toEqual(['feature-updated']);
    const fresh = deafHub(anotherProcess(service.table));
    expect(typesIn(await connect(fresh, { lastId: first.lastId }))).toEqual(['hydration']);
  });

  test('never gets an earlier state than the one that it has from another process', async () => {
    const { name } = await world.feature({ on: true });
    const behind = deafHub(anotherProcess(service.table));
    await connect(behind);
    await turn(name, 'off');
    const { lastId } = await connect(deafHub(anotherProcess(service.table)));
    const follower = await connect(behind, { lastId });
    expect(typesIn(follower)).toEqual(['']);
    expect(follower.lastId.split(':')[1]).toBe(lastId.split(':')[1]);
  });

  test('that claims a later state than there is has the store read, once for all that claim it at the same time', async () => {
    const hub = deafHub();
    await connect(hub);
    const wish = await prepareWish({ lastId: '99999999999999:AAAAAAAAAAAAAAAA' });
    const claim = (times: number) => Promise.all(Array.from({ length: times }, () => hub.open(wish)));
    await claim(1);
    const requestsFor = async (times: number) =>
      (await recordStoreRequests(service.table, async () => void (await claim(times)))).length;
    const forOne = await requestsFor(1);
    expect(forOne).toBeGreaterThan(0);
    expect(await requestsFor(50)).toBe(forOne);
  });

  test('comes back to a state that others never left, though it connected to a later one', async () => {
    const hub = deafHub();
    const { name } = await world.feature({ on: true });
    const scope = { projects: ['default'], environment: 'development' };
    const early = await connect(hub, { scope });
    await turn(name, 'off');
    // A poll moves the view on that it shares with streams.
    findView(await loadFreshSnapshot(service.table, scope), scope);
    const late = await connect(hub, { scope });
    expect(late.features.get(name)).toMatchObject({ enabled: false });
    await turn(name, 'on');
    hub.lookForChanges();
    await vi.waitFor(() => expect(late.features.get(name)).toMatchObject({ enabled: true }));
    expect(early.features.get(name)).toMatchObject({ enabled: true });
    expect(typesIn(early)).toEqual(['hydration']);
  });

  test('gets only what changes, however many queries others poll with', async () => {
    const hub = deafHub();
    const { name } = await world.feature({ on: true });
    await world.feature();
    const token = await world.clientToken();
    const follower = await connect(hub, { secret: token });
    for (const [index] of Array.from({ length: 60 }).entries())
      await service.get(`/api/client/delta?namePrefix=${index}`, { token });
    await turn(name, 'off');
    hub.lookForChanges();
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
    expect(typesIn(follower)).toEqual(['hydration', 'feature-updated']);
  });

  test('hears of changes of other processes when the clock of its own ticks', async () => {
    const hub = deafHub(anotherProcess(service.table));
    const { name } = await world.feature({ on: true });
    const follower = await connect(hub);
    await turn(name, 'off');
    hub.tick();
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
  });

  test('stays connected while the store is away, and then gets what it missed', async () => {
    const hub = deafHub();
    const { name } = await world.feature({ on: true });
    const follower = await connect(hub);
    await turn(name, 'off');
    const fault = { request: 'Query', failure: 'lost answer', times: Number.POSITIVE_INFINITY } as const;
    await withFault(service.table, fault, async () => {
      hub.tick();
      await vi.waitFor(() => expect(hub.size).toBe(1));
    });
    hub.tick();
    await vi.waitFor(() => expect(follower.features.get(name)).toMatchObject({ enabled: false }));
    expect(follower.isEnded).toBe(false);
  });

  test('gets a comment within 15 ticks, so that no proxy closes its connection', async () => {
    const hub = deafHub();
    const followers = [await connect(hub), await connect(hub)];
    for (let tick = 0; tick < 15; tick += 1) hub.tick();
    expect(followers.map(({ text }) => text.split(':\n\n').length - 1)).toEqual([1, 1]);
  });
});

describe('The token of a stream', () => {
  test('is checked as long as the stream is open: it ends if the token is deleted, here or by another process', async () => {
    const hubs = [deafHub(), deafHub(anotherProcess(service.table))];
    const secret = await world.clientToken();
    const followers = await Promise.all(hubs.map((hub) => connect(hub, { secret })));
    const others = await Promise.all(hubs.map((hub) => connect(hub)));
    const token = (await identify(service.table, secret)) as Token;
    await revokeToken(service.table, tokenIdOf(token.hash));
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + identityTrustMs);
    for (const hub of hubs) hub.tick();
    await vi.waitFor(() => expect(followers.map(({ isEnded }) => isEnded)).toEqual([true, true]));
    expect(others.map(({ isEnded }) => isEnded)).toEqual([false, false]);
    expect(hubs.map(({ size }) => size)).toEqual([1, 1]);
  });

  test('ends its streams when it expires', async () => {
    const hub = deafHub();
    const body = { tokenName: 'short', type: 'client', environment: 'development', projects: ['*'] };
    const expiresAt = '2100-01-01T00:00:00.000Z';
    const { secret } = (await world.ask('POST', '/api/admin/api-tokens', { ...body, expiresAt })).body;
    const follower = await connect(hub, { secret });
    vi.setSystemTime('2100-01-01T00:00:01Z');
    onTestFinished(() => void vi.useRealTimers());
    hub.tick();
    await vi.waitFor(() => expect(follower.isEnded).toBe(true));
  });
});

describe('The limits of streams', () => {
  /** Returns the refusal of a client, without the seconds for which it is held back. */
  async function refusalFor(hub: Hub, wish: Wish = {}): Promise<unknown> {
    const wanted = await prepareWish(wish);
    const refused = hub.open(wanted).catch((error: unknown) => error);
    hub.close();
    return refused;
  }

  test('refuse more streams than a server may have, and more than 90 % of them for one token', async () => {
    const secret = await world.clientToken();
    const hub = deafHub(service.table, { streamsMax: 2 });
    await connect(hub, { secret });
    expect(await refusalFor(hub, { secret })).toMatchObject({ name: 'TooManyRequests' });

    const full = deafHub(service.table, { streamsMax: 2 });
    await connect(full, { secret });
    const last = await connect(full);
    last.leave();
    await connect(full);
    expect(await refusalFor(full)).toMatchObject({ name: 'TooManyRequests' });
  });

  test('leave room for servers, however many pages connect with public tokens', async () => {
    const hub = deafHub(service.table, { streamsMax: 3 });
    for (let page = 0; page < 2; page += 1)
      await connect(hub, { secret: await world.frontendToken(), messages: signals });
    await connect(hub);
    const full = deafHub(service.table, { streamsMax: 3 });
    for (let page = 0; page < 2; page += 1)
      await connect(full, { secret: await world.frontendToken(), messages: signals });
    const secret = await world.frontendToken();
    expect(await refusalFor(full, { secret, messages: signals })).toMatchObject({ name: 'TooManyRequests' });
  });

  test('refuse a client that connects more than ten times in ten seconds, but no other client', async () => {
    const hub = deafHub();
    const secret = await world.clientToken();
    for (let count = 0; count < 10; count += 1) (await connect(hub, { secret, clientId: 'one' })).leave();
    await connect(hub, { secret, clientId: 'two' });
    expect(await refusalFor(hub, { secret, clientId: 'one' })).toMatchObject({ name: 'TooManyRequests' });
  });

  test('end all streams when the server stops, and let none begin after it', async () => {
    const hub = deafHub();
    const follower = await connect(hub);
    hub.close();
    expect(follower.isEnded).toBe(true);
    expect((await connect(hub)).isEnded).toBe(true);
    expect(hub.size).toBe(0);
  });
});

describe('A provider of OpenFeature', () => {
  const signalsIn = (follower: Follower) => follower.events.map(({ data }) => JSON.parse(data));

  test('is told to evaluate again after each change, without any name', async () => {
    const hub = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    const follower = await connect(hub, { messages: signals });
    const before = follower.events.length;
    await turn(name, 'off');
    await vi.waitFor(() => expect(follower.events.length).toBe(before + 1));
    expect(signalsIn(follower).at(-1)).toEqual({ type: 'refetchEvaluation', etag: follower.lastId });
    expect(follower.text).not.toContain(name);
  });

  test('is told later if more than 300 pages would evaluate at once, but within five seconds', async () => {
    expect([300, 600, 1_500, 10_000].map((pages) => signals.spread(pages))).toEqual([0, 2_000, 5_000, 5_000]);
    expect(changes.spread(10_000)).toBe(0);
    const hub = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    const secret = await world.clientToken();
    const pages = await Promise.all(Array.from({ length: 301 }, () => connect(hub, { secret, messages: signals })));
    const countTold = () => pages.filter((page) => signalsIn(page).length > 1).length;
    await turn(name, 'off');
    await vi.waitFor(() => expect(countTold()).toBeGreaterThan(0));
    expect(countTold()).toBeLessThan(301);
    await vi.waitFor(() => expect(countTold()).toBe(301), 10_000);
  });

  test('is told so when it connects, unless it has the present state or has just evaluated a state that is old', async () => {
    const hub = serveStreamsHere(service.table);
    const { name } = await world.feature({ on: true });
    const first = await connect(hub, { messages: signals });
    const { lastId } = first;
    expect(signalsIn(first)).toMatchObject([{ type: 'refetchEvaluation' }]);
    expect(signalsIn(await connect(hub, { messages: signals, lastId }))).toEqual([]);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 31_000);
    const settled = await connect(hub, { messages: signals });
    expect(signalsIn(settled)).toEqual([]);
    expect(settled.lastId).toBe(lastId);
    vi.restoreAllMocks();
    await turn(name, 'off');
    await vi.waitFor(() => expect(signalsIn(settled)).toHaveLength(1));
    expect(signalsIn(await connect(hub, { messages: signals, lastId }))).toHaveLength(1);
  });
});
