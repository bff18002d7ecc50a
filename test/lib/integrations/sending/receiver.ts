import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as a receiver got it. */
export interface ReceivedPost {
  readonly at: number;
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The answer to a request; undefined for none. */
type Answering = (received: ReceivedPost) => ReceiverAnswer | undefined | Promise<ReceiverAnswer | undefined>;

/** Somebody who takes webhooks, at an address of this machine. */
export class Receiver implements AsyncDisposable {
  readonly received: ReceivedPost[] = [];
  answer: Answering = () => ({ status: 200 });
  readonly #server: Server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming).catch(() => undefined);
    if (body === undefined) return;
    const { method, url: path = '', headers } = incoming;
    const received = { at: Date.now(), method, path, headers, body };
    this.received.push(received);
    const answer = await this.answer(received);
    if (answer !== undefined) outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The events that it was sent, in the order of their arrival. */
  get events() {
    return this.received.map(({ body }) => JSON.parse(body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
