import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { TokenScope } from '../../identity/tokens/token.ts';
import type { Request } from '../../request.ts';
import { BoundedMap, cachePerObject } from '../../values/cache.ts';
import { revisionSeen, type StateTag } from '../delta/tag.ts';
import type { View, ViewState } from '../delta/view.ts';
import { findView } from '../delta/views.ts';
import { loadFreshSnapshot, loadSnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import type { Messages } from './messages.ts';

/** A connection that is told of changes. */
export interface Subscriber {
  /** Sends bytes, or ends the connection if its client does not read. */
  send(bytes: Buffer): void;
  end(): void;
}

/** The time between two checks, so that a burst of changes is compared a few times only. */
const pauseMs = 50;
/** The number of connections that are written to before other work gets its turn. */
const turnSize = 100;
/** A state is good enough to greet a client for as long as one that polls get. */
const freshMs = 1_200;
/** A client needs at most this long from its evaluation to its connection. */
const settledMs = 30_000;
/** Few states are so common that their greetings are worth keeping. */
const greetingsMax = 10;

/**
 * The connections of one kind with tokens of one scope. However many they are, a change is compared once, and all that have the same
 * state get the same bytes. Each connection gets the changes since the state that it has, so none goes back or misses a change.
 */
export class Channel {
  readonly #request: Request;
  readonly #scope: TokenScope;
  readonly #messages: Messages;
  #view: View | undefined;
  /** The connections by the hash of the state that they have. */
  #subscribersByHash = new Map<string, Set<Subscriber>>();
  readonly #greetingsOf = cachePerObject((_: ViewState) => new BoundedMap<string, Buffer>(greetingsMax));
  /** The last check of the store, the start of the last read of it, and the last change of the state, by `performance.now()`. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #changedAt = Number.NEGATIVE_INFINITY;
  /** The end of all work so far. A slower check must not overtake a later one. */
  #turn: Promise<unknown> = Promise.resolve();
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
    return [...this.#subscribersByHash.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Gets ready to greet a client, whose state may be later than the one that this process knows.
   * @throws ApiError 503 if the store is unreachable, like `loadSnapshot`.
   */
  async prepare(tag: StateTag | undefined): Promise<void> {
    const calledAt = performance.now();
    // Anybody can claim any revision. So one read serves all who waited for it.
    const mayBeBehind = () => {
      const { state } = this.#view ?? {};
      return this.#readAt < calledAt && revisionSeen(tag, state) > (state?.revision ?? 0);
    };
    const isReady = () => {
      // While an event is being sent, later changes follow it.
      const isFresh = this.#isSending || performance.now() - this.#checkedAt < freshMs;
      return isFresh && this.#view !== undefined && !mayBeBehind();
    };
    if (isReady()) return;
    await this.#inTurn(async () => {
      if (isReady()) return;
      if (mayBeBehind()) await this.#takeLatest();
      else this.#take(await loadSnapshot(this.#request, this.#scope));
    });
  }

  /** Adds a connection, and greets it. Call `prepare` first. Returns a function that removes it. */
  add(subscriber: Subscriber, tag: StateTag | undefined): () => void {
    const view = this.#view as View;
    const { hash } = view.state;
    const from = tag?.hash === hash || view.knows(tag?.hash) ? tag?.hash : undefined;
    this.#subscribersAt(hash).add(subscriber);
    subscriber.send(this.#writeGreeting(view, from, tag));
    return () => {
      for (const subscribers of this.#subscribersByHash.values()) subscribers.delete(subscriber);
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
      await this.#inTurn(async () => {
        await this.#takeLatest();
        await this.#update();
      });
      if (this.#isRefreshAsked) await sleep(pauseMs);
    }
  }

  /** Runs work after all earlier work has ended, well or badly. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  async #takeLatest(): Promise<void> {
    const startedAt = performance.now();
    this.#take(await loadFreshSnapshot(this.#request, this.#scope));
    this.#readAt = startedAt;
  }

  #take(snapshot: Snapshot): void {
    const before = this.#view?.state;
    this.#view = findView(snapshot, this.#scope);
    this.#checkedAt = performance.now();
    if (before?.hash !== this.#view.state.hash) this.#changedAt = this.#checkedAt;
  }

  /** Tells all connections with another state than the present one what has changed. */
  async #update(): Promise<void> {
    const sends = [...this.#subscribersByHash].flatMap(([from, subscribers]) => this.#moveOn(from, subscribers));
    const pause = this.#messages.spread(sends.length) / Math.ceil(sends.length / turnSize);
    this.#isSending = true;
    for (const [index, send] of sends.entries()) {
      if (index > 0 && index % turnSize === 0) await (pause > 0 ? sleep(pause) : nextTurn());
      send();
    }
    this.#isSending = false;
  }

  /** Moves the connections with a state on to the present one. Returns what remains to be sent: meanwhile, a poll may change the view. */
  #moveOn(from: string, subscribers: ReadonlySet<Subscriber>): (() => void)[] {
    const view = this.#view as View;
    if (from === view.state.hash) return [];
    this.#subscribersByHash.delete(from);
    if (subscribers.size === 0) return [];
    const moved = this.#subscribersAt(view.state.hash);
    const bytes = Buffer.from(this.#messages.update(view, from));
    return [...subscribers].map((subscriber) => {
      moved.add(subscriber);
      return () => subscriber.send(bytes);
    });
  }

  #subscribersAt(hash: string): Set<Subscriber> {
    const subscribers = this.#subscribersByHash.get(hash) ?? new Set();
    this.#subscribersByHash.set(hash, subscribers);
    return subscribers;
  }

  /** Writes a greeting once for all clients with the same state, as after a restart, when all connect again. */
  #writeGreeting(view: View, from: string | undefined, tag: StateTag | undefined): Buffer {
    const isSettled = performance.now() - this.#changedAt >= settledMs;
    const isCurrent = tag === undefined ? isSettled : tag.hash === view.state.hash;
    const id = `${from} ${isCurrent}`;
    const greetings = this.#greetingsOf(view.state);
    const greeting = greetings.get(id) ?? Buffer.from(this.#messages.greet(view, { from, isCurrent }));
    greetings.set(id, greeting);
    return greeting;
  }
}
