import { copyFile, readFile, readlink } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { newSecret } from '../../../lib/users/token.ts';
import { isTaken, type LocalRuntime, startRuntime, temporaryDirectory, untilFree } from './local-runtime.ts';

const anyRead = '/api/admin/environments';
const first = { INIT_ADMIN_API_TOKENS: newSecret('admin') };
const second = { INIT_ADMIN_API_TOKENS: newSecret('admin') };

/** The second start knows nothing of the first one's token but what the store kept. */
async function expectKept(runtime: LocalRuntime): Promise<void> {
  expect(await runtime.status(anyRead, first.INIT_ADMIN_API_TOKENS)).toBe(200);
  expect(await runtime.status(anyRead, second.INIT_ADMIN_API_TOKENS)).toBe(200);
}

/** The process of a runtime's store; of those that a runtime starts, it is the one that is no shell. */
async function storeOf(pid: number): Promise<number | undefined> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.split(' ').filter(Boolean).map(Number)) {
    if ((await readlink(`/proc/${child}/exe`)).endsWith('dynoxide')) return child;
    const grandchild = await storeOf(child);
    if (grandchild !== undefined) return grandchild;
  }
  return undefined;
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends the server and its store with 0 and no complaint',
  async (signal) => {
    const runtime = await startRuntime();
    runtime.signal(signal);
    expect(await runtime.ended).toMatchObject({ code: 0, problems: [] });
    expect(await isTaken(runtime.storePort)).toBe(false);
  },
);

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s to the whole group lets a request that is under way finish, store included',
  async (signal) => {
    const runtime = await startRuntime();
    const socket = createConnection(Number(new URL(runtime.url).port), '127.0.0.1');
    socket.write(
      `POST /api/nowhere HTTP/1.1\r\nHost: h\r\nAuthorization: ${insecureLocalToken}\r\nContent-Length: 2\r\n\r\n{`,
    );
    await sleep(50);
    runtime.signal(signal, 'group');
    await sleep(150);
    // Only now does the function run; it has to ask the store about the token before it can say 404.
    socket.write('}');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
    expect(await runtime.ended).toMatchObject({ code: 0, problems: [] });
  },
);

test('a signal that is repeated at once, as npm does, is one signal', async () => {
  const runtime = await startRuntime();
  runtime.signal('SIGINT');
  runtime.signal('SIGINT');
  expect(await runtime.ended).toMatchObject({ code: 0 });
});

test('a second signal does not wait for a request that is under way', async () => {
  const runtime = await startRuntime();
  const socket = createConnection(Number(new URL(runtime.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST /api/nowhere HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{');
  await sleep(50);
  runtime.signal('SIGINT');
  await sleep(600);
  runtime.signal('SIGINT');
  expect(await runtime.ended).toMatchObject({ code: 1 });
  await untilFree(runtime.storePort);
});

test('data outlive a stop', async () => {
  const DATA_DIR = await temporaryDirectory();
  const runtime = await startRuntime({ DATA_DIR, ...first });
  runtime.signal('SIGTERM');
  await runtime.ended;
  await expectKept(await startRuntime({ DATA_DIR, ...second }));
});

test('data outlive SIGKILL of the whole group, and nothing stale is in the way of the next start', async () => {
  const DATA_DIR = await temporaryDirectory();
  const runtime = await startRuntime({ DATA_DIR, ...first });
  runtime.signal('SIGKILL', 'group');
  await runtime.ended;
  await expectKept(await startRuntime({ DATA_DIR, ...second }));
});

test('the store ends when the server alone is killed, and the next start finds its data', async () => {
  const DATA_DIR = await temporaryDirectory();
  const runtime = await startRuntime({ DATA_DIR, ...first });
  runtime.signal('SIGKILL');
  await runtime.ended;
  await untilFree(runtime.storePort);
  await expectKept(await startRuntime({ DATA_DIR, STORE_PORT: String(runtime.storePort), ...second }));
});

test('after a stop the file of the store alone is a whole copy', async () => {
  const [DATA_DIR, copy] = await Promise.all([temporaryDirectory(), temporaryDirectory()]);
  const runtime = await startRuntime({ DATA_DIR, ...first });
  runtime.signal('SIGTERM');
  await runtime.ended;
  await copyFile(join(DATA_DIR, 'store.db'), join(copy, 'store.db'));
  await expectKept(await startRuntime({ DATA_DIR: copy, ...second }));
});

test('DATA_DIR=:memory: keeps nothing', async () => {
  const runtime = await startRuntime({ DATA_DIR: ':memory:', ...first });
  runtime.signal('SIGTERM');
  await runtime.ended;
  const next = await startRuntime({ DATA_DIR: ':memory:', ...second });
  expect(await next.status(anyRead, first.INIT_ADMIN_API_TOKENS)).toBe(401);
});

test('losing the store is said and ends the server with 1', async () => {
  const runtime = await startRuntime();
  const store = await storeOf(runtime.pid);
  if (store === undefined) throw new Error('There is no store to be ended.');
  process.kill(store, 'SIGKILL');
  const { code, problems } = await runtime.ended;
  expect({ code, problems }).toEqual({ code: 1, problems: [expect.stringMatching(/^The store stopped/)] });
});
