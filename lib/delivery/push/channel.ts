import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Request } from '../../request.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import type { Connection } from '../../values/event-stream.ts';
import type { DeltaCache, DeltaState } from '../delta/delta-cache.ts';
import { findDeltaCache } from '../delta/find-delta-cache.ts';
import { revisionNeeded, type StateTag } from '../delta/tag.ts';
import { loadFreshSnapshot, loadSnapshot } from '../snapshot/load-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Messages } from './messages.ts';

/** The time between two checks, so that a burst of changes is compared a few times only. */
const pauseMs = 50;
/** The number of connections that are written to before other work gets its turn. */
const turnSize = 100;
/** A greeting may be as old as the reply to a poll. */
const freshMs = 1_200;
/** A provider of OpenFeature connects at most this long after it has evaluated. */
const connectingMs = 30_000;
/** The greetings that are kept: most clients have one of few states. */
const greetingsMax = 10;

/**
 * The connections of one kind whose tokens have one scope. A change is compared once for all of them, and those with the same state
 * get the same bytes. Each gets the changes since the state that it has, so none goes back or misses a change.
 */
export class Channel {
  readonly #request: Request;
  readonly #scope: TokenScope;
  readonly #messages: Messages;
  #cache: DeltaCache | undefined;
  /** The connections by the hash of the state that they have. */
  #connectionsByHash = new Map<string, Set<Connection>>();
  readonly #greetingsOf = cachePerObject((_: DeltaState) => new BoundedMap<string, Buffer>(greetingsMax));
  /** The time of the last check of the store, by `performance.now()`. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** The time at which the last read of the store began. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** The time at which a check last found another state. */
  #changedAt = Number.NEGATIVE_INFINITY;
  /** The end of all work so far: one task waits for the other, so that a slow check cannot undo a later one. */
  #lastTask: Promise<unknown> = Promise.resolve();
  #isSending = false;
  #isRefreshAsked = false;
  #refreshing: Promise<void> | undefined;

  constructor(request: Request, scope: TokenScope, messages: Messages) {
    this.#request = request;
    this.#scope = scope;
    this.#messages = messages;
  }

  /** The number of connections. */
  get size(): number {
    return [...this.#connectionsByHash.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Gets ready to greet a client. Its state may be later than the one that this process knows, so this may read the store.
   * @throws ApiError 503 if the store is unreachable, like `loadSnapshot`.
   */
  async prepare(tag: StateTag | undefined): Promise<void> {
    const calledAt = performance.now();
    // Anybody can claim any revision. So one read serves all who waited for it.
    const mayBeBehind = () => {
      const { state } = this.#cache ?? {};
      return this.#readAt < calledAt && revisionNeeded(tag, state) > (state?.revision ?? 0);
    };
    const isReady = () => {
      // While an event is being sent, later changes follow it.
      const isFresh = this.#isSending || performance.now() - this.#checkedAt < freshMs;
      return isFresh && this.#cache !== undefined && !mayBeBehind();
    };
    if (isReady()) return;
    await this.#runInTurn(async () => {
      if (isReady()) return;
      if (mayBeBehind()) await this.#takeLatest();
      else this.#take(await loadSnapshot(this.#request, this.#scope));
    });
  }

  /** Adds a connection, and greets it. Call `prepare` first. Returns a function that removes it. */
  add(connection: Connection, tag: StateTag | undefined): () => void {
    const cache = this.#cache as DeltaCache;
    const { hash } = cache.state;
    const from = tag?.hash === hash || cache.knows(tag?.hash) ? tag?.hash : undefined;
    this.#connectionsAt(hash).add(connection);
    connection.send(this.#writeGreeting(cache, from, tag));
    return () => {
      for (const connections of this.#connectionsByHash.values()) connections.delete(connection);
    };
  }

  /**
   * Sends all changes since the last check. A call during a check causes one more check, since the running one may have begun before the change.
   * @throws Error of the store; the next call sends what this one has not.
   */
  refresh(): Promise<void> {
    this.#isRefreshAsked = true;
    this.#refreshing ??= this.#refreshAsAsked().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refreshAsAsked(): Promise<void> {
    while (this.#isRefreshAsked) {
      this.#isRefreshAsked = false;
      await this.#runInTurn(async () => {
        await this.#takeLatest();
        await this.#update();
      });
      if (this.#isRefreshAsked) await sleep(pauseMs);
    }
  }

  /** Runs work after all earlier work has ended, well or badly. */
  #runInTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#lastTask.then(work);
    this.#lastTask = result.catch(() => {});
    return result;
  }

  async #takeLatest(): Promise<void> {
    const startedAt = performance.now();
    this.#take(await loadFreshSnapshot(this.#request, this.#scope));
    this.#readAt = startedAt;
  }

  #take(snapshot: Snapshot): void {
    const before = this.#cache?.state;
    this.#cache = findDeltaCache(snapshot, this.#scope);
    this.#checkedAt = performance.now();
    if (before?.hash !== this.#cache.state.hash) this.#changedAt = this.#checkedAt;
  }

  /** Sends the changes to all connections that have another state than the present one. */
  async #update(): Promise<void> {
    const sends = [...this.#connectionsByHash].flatMap(([from, connections]) => this.#moveOn(from, connections));
    const pause = this.#messages.spread(sends.length) / Math.ceil(sends.length / turnSize);
    this.#isSending = true;
    try {
      for (const [index, send] of sends.entries()) {
        if (index > 0 && index % turnSize === 0) await (pause > 0 ? sleep(pause) : nextTurn());
        send();
      }
    } finally {
      this.#isSending = false;
    }
  }

  /**
   * Moves the connections with a state on to the present one. Returns a function for each that sends the event, which is written at once:
   * a poll may change the delta cache while others are sent.
   */
  #moveOn(from: string, connections: ReadonlySet<Connection>): (() => void)[] {
    const cache = this.#cache as DeltaCache;
    if (from === cache.state.hash) return [];
    this.#connectionsByHash.delete(from);
    if (connections.size === 0) return [];
    const moved = this.#connectionsAt(cache.state.hash);
    const bytes = Buffer.from(this.#messages.update(cache, from));
    return [...connections].map((connection) => {
      moved.add(connection);
      return () => connection.send(bytes);
    });
  }

  #connectionsAt(hash: string): Set<Connection> {
    const connections = this.#connectionsByHash.get(hash) ?? new Set();
    this.#connectionsByHash.set(hash, connections);
    return connections;
  }

  /** Writes a greeting once for all clients with the same state: after a restart, all connect again. */
  #writeGreeting(cache: DeltaCache, from: string | undefined, tag: StateTag | undefined): Buffer {
    const isUnchanged = performance.now() - this.#changedAt >= connectingMs;
    const isCurrent = tag === undefined ? isUnchanged : tag.hash === cache.state.hash;
    const id = `${from} ${isCurrent}`;
    const greetings = this.#greetingsOf(cache.state);
    const greeting = greetings.get(id) ?? Buffer.from(this.#messages.greet(cache, { from, isCurrent }));
    greetings.set(id, greeting);
    return greeting;
  }
}
