import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection through a passage, with all bytes so far as text. */
interface Conversation {
  readonly client: Socket;
  asked: string;
  answered: string;
}

/** A place between SDKs and servers that hands all bytes on, and keeps them. It ends with the block that uses it. */
export interface Passage extends AsyncDisposable {
  /** URL without a trailing slash. */
  readonly url: string;
  /** The number of times that servers sent everything to a stream. */
  countHydrations(): number;
  /** The number of answers with a status. */
  countAnswers(status: number): number;
  /** The number of requests for a path, with any query. */
  countRequests(path: string): number;
  /** The number of streams that are open. */
  countStreams(): number;
  /** Cuts all connections, as a load balancer does that moves clients. */
  cut(): void;
}

/**
 * Opens a passage to servers that take turns; one that does not answer is left out.
 * @param holdMs holds what servers send back for so long, and then hands it on as one piece, as some proxies do.
 */
export async function openPassage(urls: readonly string[], holdMs = 0): Promise<Passage> {
  const conversations: Conversation[] = [];
  let turns = 0;

  async function reachServer(): Promise<Socket | undefined> {
    for (let tries = 0; tries < urls.length; tries += 1) {
      turns += 1;
      const { hostname, port } = new URL(urls[turns % urls.length] ?? '');
      const socket = connect(Number(port), hostname);
      const isReached = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      if (isReached) return socket;
    }
    return undefined;
  }

  const server = createServer({ pauseOnConnect: true }, async (client) => {
    client.on('error', () => undefined);
    const upstream = await reachServer();
    if (upstream === undefined) return client.destroy();
    const conversation: Conversation = { client, asked: '', answered: '' };
    conversations.push(conversation);
    const handOn = holding(holdMs, (bytes) => client.write(bytes));
    upstream.on('error', () => undefined);
    upstream.on('data', (bytes) => {
      conversation.answered += bytes.toString();
      handOn(bytes);
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

/** Tells whether the last answer of a connection is a stream whose end has not come. */
function isStreaming({ client, answered }: Conversation): boolean {
  const last = answered.slice(answered.lastIndexOf('HTTP/1.1 '));
  return !client.closed && last.includes('text/event-stream') && !last.endsWith('\r\n0\r\n\r\n');
}

/** Hands bytes on at once, or holds them back and hands them on together. */
function holding(holdMs: number, handOn: (bytes: Buffer) => void): (bytes: Buffer) => void {
  if (holdMs === 0) return handOn;
  let held: Buffer[] = [];
  return (bytes) => {
    held.push(bytes);
    if (held.length > 1) return;
    setTimeout(() => {
      handOn(Buffer.concat(held));
      held = [];
    }, holdMs);
  };
}
