import { createConnection, type Socket } from 'node:net';

/* A process of its own that opens many streams and reads as little of them as possible. Its parent sends it orders. */

export type Order =
  | {
      readonly kind: 'connect';
      readonly port: number;
      readonly secret: string;
      readonly count: number;
      readonly lastId?: string;
    }
  | { readonly kind: 'await event'; readonly id: number }
  | { readonly kind: 'drop' };

export type Report =
  | { readonly kind: 'connected'; readonly refused: number; readonly lastId: string }
  | { readonly kind: 'is ready' }
  | { readonly kind: 'all have it'; readonly id: number; readonly at: number }
  | { readonly kind: 'all ended'; readonly at: number };

/** The number of connections that are opened at the same time. */
const atOnce = 50;
const sockets = new Set<Socket>();
let refused = 0;
let lastId = '';
let awaited: { readonly id: number; missing: number } | undefined;

const report = (what: Report) => process.send?.(what);
/** The time by a clock that all processes of a machine share. */
const now = () => performance.timeOrigin + performance.now();

function open(port: number, head: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write(head));
    sockets.add(socket);
    let isOpen = false;
    socket.on('data', (bytes) => {
      if (!isOpen) {
        const text = bytes.toString('latin1');
        // The greeting may come after the head.
        if (text.startsWith('HTTP/1.1 200') && !text.includes('unleash-connected')) return;
        if (!text.includes('unleash-connected')) refused += 1;
        lastId = /\nid: (\S+)/.exec(text)?.[1] ?? lastId;
        isOpen = true;
        resolve();
        return;
      }
      if (awaited !== undefined && bytes.includes('unleash-updated')) {
        awaited.missing -= 1;
        if (awaited.missing === 0) report({ kind: 'all have it', id: awaited.id, at: now() });
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (!isOpen) {
        refused += 1;
        resolve();
      }
      if (sockets.size === 0) report({ kind: 'all ended', at: now() });
    });
  });
}

async function connect({ port, secret, count, lastId: known }: Extract<Order, { kind: 'connect' }>): Promise<void> {
  refused = 0;
  const lines = ['GET /api/client/streaming HTTP/1.1', 'Host: localhost', `Authorization: ${secret}`];
  const head = `${[...lines, ...(known === undefined ? [] : [`Last-Event-ID: ${known}`])].join('\r\n')}\r\n\r\n`;
  let left = count;
  const openOneByOne = async () => {
    while (left > 0) {
      left -= 1;
      await open(port, head);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, openOneByOne));
  report({ kind: 'connected', refused, lastId });
}

process.on('message', (order: Order) => {
  if (order.kind === 'connect') void connect(order);
  else if (order.kind === 'await event') {
    awaited = { id: order.id, missing: sockets.size };
    report({ kind: 'is ready' });
  } else for (const socket of sockets) socket.destroy();
});
