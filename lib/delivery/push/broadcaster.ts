import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import { identifyByHash } from '../../identity/caller.ts';
import type { TokenScope } from '../../identity/tokens/token.ts';
import { recordTokenUse } from '../../identity/tokens/token-use.ts';
import { scopeOf, type Token } from '../../identity/tokens/tokens.ts';
import type { Request } from '../../request.ts';
import { BoundedMap } from '../../values/cache.ts';
import type { Connection, EventStream } from '../../values/event-stream.ts';
import { mapChunks } from '../../values/lists.ts';
import { hasElapsed, type Moment, readClocks } from '../../values/time.ts';
import type { StateTag } from '../delta/tag.ts';
import { Channel } from './channel.ts';
import type { Messages } from './messages.ts';

/** The share of all connections that one token may have, so that a leaked one cannot lock out all others. */
const tokenShare = 0.9;
/** A client that connects more often within this time is refused. Some SDKs connect again at once after an error of their own. */
const connectsMax = 10;
const connectsMs = 10_000;
/** The clients whose connections are counted. */
const clientsMax = 10_000;
/** Unleash Edge asks again at once after any refusal, so refusals are delayed. */
const refusalMs = 5_000;
/** The number of tokens that are checked at a time. */
const tokensAtOnce = 16;
/** The ticks between two comments to a connection, which keep it open. Each tick is the turn of a part of the connections. */
const heartbeatTicks = 15;
const heartbeat = Buffer.from(':\n\n');
/** A channel without connections is kept for this long, since a client may be about to connect. */
const idleMs = 60_000;

export interface BroadcasterOptions {
  /** The maximum number of connections. */
  readonly streamsMax: number;
  /** Reports an error that no caller gets. */
  readonly warn: (error: unknown) => void;
}

/** A client that wants to connect. */
export interface StreamRequest {
  /** The token of the connection, which is checked as long as it is open. */
  readonly token: Token;
  readonly scope: TokenScope;
  readonly messages: Messages;
  /** The last state that it has. */
  readonly tag: StateTag | undefined;
  /** The id that an SDK gives to itself. */
  readonly clientId?: string | undefined;
}

/** All connections of a process that get changes. The server calls `tick` every second. */
export class Broadcaster {
  readonly #request: Request;
  readonly #options: BroadcasterOptions;
  readonly #channels = new Map<string, { readonly channel: Channel; usedAt: Moment }>();
  readonly #connectionsByToken = new Map<string, { readonly token: Token; readonly connections: Set<Connection> }>();
  readonly #heartbeatGroups = Array.from({ length: heartbeatTicks }, () => new Set<Connection>());
  readonly #connectsByClient = new BoundedMap<string, { readonly since: Moment; count: number }>(clientsMax);
  readonly #closing = new AbortController();
  #ticks = 0;
  #checkingTokens: Promise<void> | undefined;
  #connectCount = 0;

  /** @param request a request of the process itself, which never ends. */
  constructor(request: Request, options: BroadcasterOptions) {
    this.#request = request;
    this.#options = options;
  }

  /** The number of connections. */
  get size(): number {
    return this.#heartbeatGroups.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Gets ready for a client. Returns the stream that it is to be connected to.
   * @throws ApiError 429, after a few seconds, if there are too many connections; 503 if the store is unreachable.
   */
  async open({ token, scope, messages, tag, clientId }: StreamRequest): Promise<EventStream> {
    await this.#admit(token, clientId);
    const id = JSON.stringify([messages.kind, scope.environment, ...scope.projects.toSorted()]);
    const entry = this.#channels.get(id) ?? {
      channel: new Channel(this.#request, scope, messages),
      usedAt: readClocks(),
    };
    entry.usedAt = readClocks();
    this.#channels.set(id, entry);
    await entry.channel.prepare(tag);
    return (connection) => {
      if (this.#closing.signal.aborted || this.#isFull(token)) {
        connection.end();
        return () => {};
      }
      const ends = [
        this.#keepAlive(connection),
        this.#keepWithToken(token, connection),
        entry.channel.add(connection, tag),
      ];
      return () => {
        for (const end of ends) end();
      };
    };
  }

  /** Looks for changes, and sends them. Call it when one was just stored. */
  lookForChanges(): void {
    for (const { channel } of this.#channels.values()) if (channel.size > 0) this.#refresh(channel);
  }

  /** Looks for changes of other processes, ends connections whose tokens are no longer accepted, and keeps the others open. */
  tick(): void {
    this.#ticks += 1;
    for (const connection of this.#heartbeatGroups[this.#ticks % heartbeatTicks] ?? []) connection.send(heartbeat);
    for (const [id, { channel, usedAt }] of this.#channels) {
      if (channel.size === 0 && hasElapsed(usedAt, idleMs)) this.#channels.delete(id);
    }
    this.lookForChanges();
    // While the store does not answer, a check takes longer than a tick.
    this.#checkingTokens ??= this.#checkTokens().finally(() => {
      this.#checkingTokens = undefined;
    });
  }

  /** Ends all connections, and refuses further ones. */
  close(): void {
    this.#closing.abort();
    for (const connections of this.#heartbeatGroups) for (const connection of [...connections]) connection.end();
  }

  async #admit(token: Token, clientId: string | undefined): Promise<void> {
    const problem = this.#isFull(token)
      ? `The limit of streams is reached (STREAMS_LIMIT is ${this.#options.streamsMax}, and ${tokenShare * 100} % for one token, or for all frontend tokens); poll instead.`
      : this.#countConnect(token, clientId);
    if (problem === undefined) return;
    await sleep(refusalMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    throw new ApiError('TooManyRequests', problem);
  }

  #isFull(token: Token): boolean {
    const { streamsMax } = this.#options;
    return this.size >= streamsMax || this.#countSharing(token) >= Math.max(1, Math.floor(streamsMax * tokenShare));
  }

  /** Counts the connections that share a limit: those of a token. Frontend tokens are public, so all of them count as one. */
  #countSharing({ hash, kind }: Token): number {
    if (kind !== 'frontend') return this.#connectionsByToken.get(hash)?.connections.size ?? 0;
    const ofPages = [...this.#connectionsByToken.values()].filter(({ token }) => token.kind === 'frontend');
    return ofPages.reduce((sum, { connections }) => sum + connections.size, 0);
  }

  /** Counts a connection of a client that has an id. Returns the problem if there are too many. */
  #countConnect({ hash }: Token, clientId: string | undefined): string | undefined {
    if (clientId === undefined) return undefined;
    const id = `${hash} ${clientId.slice(0, 200)}`;
    const known = this.#connectsByClient.get(id);
    const connects =
      known === undefined || hasElapsed(known.since, connectsMs) ? { since: readClocks(), count: 0 } : known;
    connects.count += 1;
    this.#connectsByClient.set(id, connects);
    if (connects.count <= connectsMax) return undefined;
    return `This client has connected more than ${connectsMax} times in ${connectsMs / 1_000} seconds; poll instead.`;
  }

  #keepAlive(connection: Connection): () => void {
    this.#connectCount += 1;
    const group = this.#heartbeatGroups[this.#connectCount % heartbeatTicks] as Set<Connection>;
    group.add(connection);
    return () => void group.delete(connection);
  }

  #keepWithToken(token: Token, connection: Connection): () => void {
    const { hash } = token;
    const entry = this.#connectionsByToken.get(hash) ?? { token, connections: new Set() };
    this.#connectionsByToken.set(hash, entry);
    entry.connections.add(connection);
    return () => {
      entry.connections.delete(connection);
      if (entry.connections.size === 0) this.#connectionsByToken.delete(hash);
    };
  }

  /** Ends the connections of tokens that are gone or have another scope. While the store is unreachable, none is ended. */
  async #checkTokens(): Promise<void> {
    await mapChunks([...this.#connectionsByToken.values()], tokensAtOnce, async ({ token, connections }) => {
      try {
        const current = await identifyByHash(this.#request, token.hash, { throughOutage: true });
        if (isUnchanged(token, current)) await recordTokenUse(this.#request, current);
        else for (const connection of [...connections]) connection.end();
      } catch (error) {
        this.#warnOf(error);
      }
    });
  }

  #refresh(channel: Channel): void {
    channel.refresh().catch((error: unknown) => this.#warnOf(error));
  }

  /** Warns of an error, unless the next tick may succeed: the store is unreachable, or others change it too fast. */
  #warnOf(error: unknown): void {
    if (!(error instanceof ApiError && error.name === 'ServiceUnavailable')) this.#options.warn(error);
  }
}

function isUnchanged(token: Token, current: Token | undefined): current is Token {
  return current !== undefined && JSON.stringify(scopeOf(current)) === JSON.stringify(scopeOf(token));
}
