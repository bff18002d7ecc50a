import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import { identifyByHash } from '../../identity/caller.ts';
import type { TokenScope } from '../../identity/tokens/token.ts';
import { recordTokenUse } from '../../identity/tokens/token-use.ts';
import { scopeOf, type Token } from '../../identity/tokens/tokens.ts';
import type { Request } from '../../request.ts';
import { BoundedMap } from '../../values/cache.ts';
import { mapChunks } from '../../values/lists.ts';
import { hasElapsed, type Moment, readClocks } from '../../values/time.ts';
import type { StateTag } from '../delta/tag.ts';
import { Channel, type Subscriber } from './channel.ts';
import type { Messages } from './messages.ts';

/** The share of all connections that one token may have, so that a leaked one cannot lock out all others. */
const tokenShare = 0.9;
/** A client that connects more often within this time polls instead. Some SDKs connect again at once after an error of their own. */
const connectsMax = 10;
const connectsMs = 10_000;
const clientsMax = 10_000;
/** Unleash Edge asks again at once after any refusal, so a refusal takes its time. */
const refusalMs = 5_000;
/** The number of tokens that are checked at a time. */
const tokensAtOnce = 16;
/** The comments that keep connections open are spread over so many ticks, and each connection gets one in this time. */
const heartbeatTicks = 15;
const heartbeat = Buffer.from(':\n\n');
/** A channel without connections is kept for so long, since a client may be about to connect. */
const idleMs = 60_000;

export interface HubOptions {
  /** The maximum number of connections. */
  readonly streamsMax: number;
  /** Is called with errors that only the log can show. */
  readonly warn: (error: unknown) => void;
}

/** A client that wants to connect. */
export interface StreamRequest {
  /** Its token, which is checked for as long as the connection is open. */
  readonly token: Token;
  readonly scope: TokenScope;
  readonly messages: Messages;
  /** The last state that it has. */
  readonly tag: StateTag | undefined;
  /** The id that an SDK gives to itself. */
  readonly clientId?: string | undefined;
}

/** All connections of a process that are told of changes. The server calls `tick` every second. */
export class Hub {
  readonly #request: Request;
  readonly #options: HubOptions;
  readonly #channels = new Map<string, { readonly channel: Channel; usedAt: Moment }>();
  readonly #subscribersByToken = new Map<string, { readonly token: Token; readonly subscribers: Set<Subscriber> }>();
  readonly #beats = Array.from({ length: heartbeatTicks }, () => new Set<Subscriber>());
  readonly #connects = new BoundedMap<string, { readonly since: Moment; count: number }>(clientsMax);
  readonly #closing = new AbortController();
  #ticks = 0;
  #checkingTokens: Promise<void> | undefined;
  #added = 0;

  /** @param request a request of the process itself, which never ends. */
  constructor(request: Request, options: HubOptions) {
    this.#request = request;
    this.#options = options;
  }

  /** The number of connections. */
  get size(): number {
    return this.#beats.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Gets ready for a client. Returns a function that connects it, which returns a function for the end of the connection.
   * @throws ApiError 429, after a few seconds, if there are too many connections; 503 if the store is unreachable.
   */
  async open({ token, scope, messages, tag, clientId }: StreamRequest): Promise<(to: Subscriber) => () => void> {
    await this.#admit(token, clientId);
    const id = JSON.stringify([messages.kind, scope.environment, ...scope.projects.toSorted()]);
    const entry = this.#channels.get(id) ?? {
      channel: new Channel(this.#request, scope, messages),
      usedAt: readClocks(),
    };
    entry.usedAt = readClocks();
    this.#channels.set(id, entry);
    await entry.channel.prepare(tag);
    return (subscriber) => {
      if (this.#closing.signal.aborted || this.#isFull(token.hash)) {
        subscriber.end();
        return () => {};
      }
      const ends = [this.#keepAlive(subscriber), this.#watch(token, subscriber), entry.channel.add(subscriber, tag)];
      return () => {
        for (const end of ends) end();
      };
    };
  }

  /** Looks for changes, since one was just stored. */
  ring(): void {
    for (const { channel } of this.#channels.values()) if (channel.size > 0) this.#refresh(channel);
  }

  /** Looks for changes of other processes, ends connections whose tokens are no longer accepted, and keeps the others open. */
  tick(): void {
    this.#ticks += 1;
    for (const subscriber of this.#beats[this.#ticks % heartbeatTicks] ?? []) subscriber.send(heartbeat);
    for (const [id, { channel, usedAt }] of this.#channels) {
      if (channel.size === 0 && hasElapsed(usedAt, idleMs)) this.#channels.delete(id);
    }
    this.ring();
    // While the store does not answer, a check takes longer than a tick.
    this.#checkingTokens ??= this.#checkTokens().finally(() => {
      this.#checkingTokens = undefined;
    });
  }

  async #checkTokens(): Promise<void> {
    await mapChunks([...this.#subscribersByToken.values()], tokensAtOnce, async ({ token, subscribers }) => {
      const isAccepted = await this.#isAccepted(token);
      if (!isAccepted) for (const subscriber of [...subscribers]) subscriber.end();
    });
  }

  /** Ends all connections, and refuses further ones. */
  close(): void {
    this.#closing.abort();
    for (const subscribers of this.#beats) for (const subscriber of [...subscribers]) subscriber.end();
  }

  async #admit(token: Token, clientId: string | undefined): Promise<void> {
    const problem = this.#isFull(token.hash)
      ? `This server has as many streams as it may have (STREAMS_LIMIT, ${this.#options.streamsMax}, of which one token may have ${tokenShare * 100} %); poll instead.`
      : this.#countConnect(token, clientId);
    if (problem === undefined) return;
    await sleep(refusalMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    throw new ApiError('TooManyRequests', problem);
  }

  #isFull(hash: string): boolean {
    const ofToken = this.#subscribersByToken.get(hash)?.subscribers.size ?? 0;
    const { streamsMax } = this.#options;
    return this.size >= streamsMax || ofToken >= Math.max(1, Math.floor(streamsMax * tokenShare));
  }

  /** Counts a connection of a client that has an id. Returns the problem if there are too many. */
  #countConnect({ hash }: Token, clientId: string | undefined): string | undefined {
    if (clientId === undefined) return undefined;
    const id = `${hash} ${clientId.slice(0, 200)}`;
    const known = this.#connects.get(id);
    const connects =
      known === undefined || hasElapsed(known.since, connectsMs) ? { since: readClocks(), count: 0 } : known;
    connects.count += 1;
    this.#connects.set(id, connects);
    if (connects.count <= connectsMax) return undefined;
    return `This client has connected more than ${connectsMax} times in ${connectsMs / 1_000} seconds; poll instead.`;
  }

  #keepAlive(subscriber: Subscriber): () => void {
    this.#added += 1;
    const beats = this.#beats[this.#added % heartbeatTicks] as Set<Subscriber>;
    beats.add(subscriber);
    return () => void beats.delete(subscriber);
  }

  #watch(token: Token, subscriber: Subscriber): () => void {
    const { hash } = token;
    const watched = this.#subscribersByToken.get(hash) ?? { token, subscribers: new Set() };
    this.#subscribersByToken.set(hash, watched);
    watched.subscribers.add(subscriber);
    return () => {
      watched.subscribers.delete(subscriber);
      if (watched.subscribers.size === 0) this.#subscribersByToken.delete(hash);
    };
  }

  /** Tells whether a token is still what it was when its clients connected. While the store is away, it is trusted. */
  async #isAccepted(token: Token): Promise<boolean> {
    try {
      const current = await identifyByHash(this.#request, token.hash, { throughOutage: true });
      if (current === undefined || JSON.stringify(scopeOf(current)) !== JSON.stringify(scopeOf(token))) return false;
      await recordTokenUse(this.#request, current);
    } catch (error) {
      this.#warnOf(error);
    }
    return true;
  }

  #refresh(channel: Channel): void {
    channel.refresh().catch((error: unknown) => this.#warnOf(error));
  }

  /** Warns of an error, unless the next tick may be without it: the store is away, or changes too fast. */
  #warnOf(error: unknown): void {
    if (!(error instanceof ApiError && error.name === 'ServiceUnavailable')) this.#options.warn(error);
  }
}
