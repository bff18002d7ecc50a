import { setTimeout as sleep } from 'node:timers/promises';
import { NoServer, type Servers } from './servers.ts';
import { type ChangeEvent, ClientView } from './view.ts';

/** The longest time without a comment or an event after which a stream counts as broken. */
const silenceMs = 25_000;

export interface ClientOptions {
  readonly servers: Servers;
  readonly secret: string;
  readonly projects: readonly string[];
  readonly random: () => number;
}

/** The numbers of a client's connections and updates. */
export interface ClientCounts {
  connects: number;
  /** The connections that began with changes. */
  continued: number;
  /** The connections that began with everything. */
  hydrated: number;
  updates: number;
}

/** A client that moves from server to server, each time with the state that it has. */
export abstract class Client {
  readonly view: ClientView;
  readonly counts: ClientCounts = { connects: 0, continued: 0, hydrated: 0, updates: 0 };
  /** The status of the last answer if it was a refusal; otherwise 0. */
  refusal = 0;
  protected readonly options: ClientOptions;
  protected readonly ending = new AbortController();
  /** The tag of the state that it has. */
  protected tag: string | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ClientOptions) {
    this.options = options;
    this.view = new ClientView(options.projects);
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.#running;
  }

  /** Stays with one server for a while, or until the server ends it. */
  protected abstract visit(url: string): Promise<void>;

  async #run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      try {
        await this.visit(this.options.servers.any().url);
      } catch (error) {
        // The client left, or the server was killed. Anything else is a fault of the proof.
        const { name, message } = error as Error;
        const isUsual = ['AbortError', 'TimeoutError', 'TypeError'].includes(name) || error instanceof NoServer;
        if (!isUsual) this.view.problems.push(`${name}: ${message}`);
      }
      await sleep(50, undefined, { signal: this.ending.signal }).catch(() => {});
    }
  }

  protected take(events: readonly ChangeEvent[], tag: string): void {
    this.view.apply(events);
    this.tag = tag;
  }

  protected countGreeting(events: readonly ChangeEvent[]): void {
    this.counts.connects += 1;
    if (events[0]?.type === 'hydration') this.counts.hydrated += 1;
    else this.counts.continued += 1;
  }
}

/** A client with a stream. */
export class StreamClient extends Client {
  protected async visit(url: string): Promise<void> {
    const { secret, random } = this.options;
    const leaving = AbortSignal.any([this.ending.signal, AbortSignal.timeout(Math.round(300 + random() * 4_000))]);
    const response = await fetch(`${url}/api/client/streaming`, {
      headers: { authorization: secret, ...(this.tag && { 'last-event-id': this.tag }) },
      signal: leaving,
    });
    this.refusal = response.status === 200 ? 0 : response.status;
    if (response.status !== 200) return void (await response.text());
    let text = '';
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#read(block);
    }
  }

  #read(block: string): void {
    const [, name] = /^event: (.*)$/m.exec(block) ?? [];
    const [, id = ''] = /^id: (.*)$/m.exec(block) ?? [];
    const [, data] = /^data: (.*)$/m.exec(block) ?? [];
    if (data === undefined) return;
    const { events } = JSON.parse(data);
    if (name === 'unleash-connected') this.countGreeting(events);
    else this.counts.updates += 1;
    this.take(events, id);
  }
}

/** A client that polls for changes, each time at another server. */
export class PollingClient extends Client {
  protected async visit(url: string): Promise<void> {
    const response = await fetch(`${url}/api/client/delta`, {
      headers: { authorization: this.options.secret, ...(this.tag && { 'if-none-match': this.tag }) },
      signal: AbortSignal.any([this.ending.signal, AbortSignal.timeout(silenceMs)]),
    });
    this.refusal = response.status >= 400 ? response.status : 0;
    const text = await response.text();
    if (response.status === 200) {
      const { events } = JSON.parse(text);
      this.countGreeting(events);
      this.take(events, response.headers.get('etag') ?? '');
    }
    await sleep(100 + this.options.random() * 400, undefined, { signal: this.ending.signal }).catch(() => {});
  }
}
