import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection through a proxy, with all bytes of both directions as text. */
interface Conversation {
  readonly client: Socket;
  asked: string;
  answered: string;
}

/** A proxy between SDKs and servers that keeps all bytes and counts what they contain. It ends with the block that uses it. */
export interface CountingProxy extends AsyncDisposable {
  /** URL without a trailing slash. */
  readonly url: string;
  /** The number of streams that began with everything. */
  countHydrations(): number;
  /** The number of answers with a status. */
  countAnswers(status: number): number;
  /** The number of requests for a path, with any query. */
  countRequests(path: string): number;
  /** The number of streams that are open. */
  countStreams(): number;
  /** Ends all connections, as a load balancer does when it moves clients. */
  cut(): void;
}

/**
 * Starts a proxy that connects to servers in turn, and leaves out those that are down.
 * @param holdMs the time for which it holds answers back, to send them on as one piece, as some proxies do.
 */
export async function startCountingProxy(urls: readonly string[], holdMs = 0): Promise<CountingProxy> {
  const conversations: Conversation[] = [];
  let turns = 0;

  async function reachServer(): Promise<Socket | undefined> {
    for (let tries = 0; tries < urls.length; tries += 1) {
      turns += 1;
      const { hostname, port } = new URL(urls[turns % urls.length] ?? '');
      const socket = await tryToConnect(Number(port), hostname);
      if (socket !== undefined) return socket;
    }
    return undefined;
  }

  const server = createServer({ pauseOnConnect: true }, async (client) => {
    client.on('error', () => undefined);
    const upstream = await reachServer();
    if (upstream === undefined) return client.destroy();
    const conversation: Conversation = { client, asked: '', answered: '' };
    conversations.push(conversation);
    const sendOn = delayWrites(holdMs, (bytes) => client.write(bytes));
    upstream.on('error', () => undefined);
    upstream.on('data', (bytes) => {
      conversation.answered += bytes.toString();
      sendOn(bytes);
    });
    upstream.on('close', () => setTimeout(() => client.destroySoon(), holdMs));
    client.on('data', (bytes) => {
      conversation.asked += bytes.toString();
      upstream.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    client.resume();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const count = (side: 'asked' | 'answered', text: string) =>
    conversations.reduce((sum, conversation) => sum + conversation[side].split(text).length - 1, 0);
  const cut = () => {
    for (const { client } of conversations) client.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countHydrations: () => count('answered', '"type":"hydration"'),
    countAnswers: (status) => count('answered', `HTTP/1.1 ${status} `),
    countRequests: (path) => count('asked', ` ${path}`),
    countStreams: () => conversations.filter(isStreaming).length,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Tells whether the last answer of a connection is a stream that has not ended. */
function isStreaming({ client, answered }: Conversation): boolean {
  const last = answered.slice(answered.lastIndexOf('HTTP/1.1 '));
  return !client.closed && last.includes('text/event-stream') && !last.endsWith('\r\n0\r\n\r\n');
}

/** Returns a function that sends bytes on at once, or that holds them back and sends them on together. */
function delayWrites(holdMs: number, sendOn: (bytes: Buffer) => void): (bytes: Buffer) => void {
  if (holdMs === 0) return sendOn;
  let held: Buffer[] = [];
  return (bytes) => {
    held.push(bytes);
    if (held.length > 1) return;
    setTimeout(() => {
      sendOn(Buffer.concat(held));
      held = [];
    }, holdMs);
  };
}

/** Connects to a server; undefined if that fails. */
export async function tryToConnect(port: number, host: string): Promise<Socket | undefined> {
  const socket = connect(port, host);
  return once(socket, 'connect').then(
    () => socket,
    () => undefined,
  );
}
