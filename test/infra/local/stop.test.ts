import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { type LocalRuntime, startRuntime, untilFree } from './local-runtime.ts';

const anyRead = '/api/admin/environments';

interface Started {
  readonly runtime: LocalRuntime;
  readonly token: string;
}

/** A start with a new token, of which the next ones know nothing but what the store kept. */
async function startWithToken(variables: Readonly<Record<string, string>>): Promise<Started> {
  const token = makeSecret('admin');
  return { runtime: await startRuntime({ ...variables, INIT_ADMIN_API_TOKENS: token }), token };
}

async function expectKnown(runtime: LocalRuntime, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) expect(await runtime.status(anyRead, token)).toBe(200);
}

/** A request of which the server has the head, and waits for the body, `{}`. */
async function halfRequest({ url }: LocalRuntime, token: string): Promise<Socket> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  socket.write(
    `POST /api/nowhere HTTP/1.1\r\nHost: h\r\nAuthorization: ${token}\r\nContent-Length: 2\r\n` +
      'Expect: 100-continue\r\n\r\n',
  );
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  return socket;
}

/** Signals a runtime while a request is under way, which is still answered, and it ends with 0. */
async function expectToFinish(started: Started, signal: NodeJS.Signals, to: 'process' | 'group'): Promise<void> {
  const { runtime, token } = started;
  const socket = await halfRequest(runtime, token);
  runtime.signal(signal, to);
  // As npm does, which hands on what its whole group received.
  if (to === 'group') runtime.signal(signal, to);
  await untilFree(Number(new URL(runtime.url).port));
  // Only now does the function run; it has to ask the store about the token before it can say 404.
  socket.write('{}');
  expect(await text(socket), signal).toMatch(/^HTTP\/1\.1 404 /);
  expect(await runtime.ended, signal).toMatchObject({ code: 0, problems: [] });
}

test('a stop lets running requests finish and leaves all data in one file that can be copied; they also survive a SIGKILL', async () => {
  const [original, copy] = [folderInTest(), folderInTest()];
  const first = await startWithToken({ DATA_DIR: original });
  await expectToFinish(first, 'SIGTERM', 'process');
  await copyFile(join(original, 'flagstaff.db'), join(copy, 'flagstaff.db'));

  const second = await startWithToken({ DATA_DIR: copy });
  await expectKnown(second.runtime, [first.token, second.token]);
  second.runtime.signal('SIGKILL', 'process');
  await second.runtime.ended;

  // Nothing stale is in the way of the next start.
  const third = await startWithToken({ DATA_DIR: copy });
  await expectKnown(third.runtime, [first.token, second.token, third.token]);
  await expectToFinish(third, 'SIGINT', 'group');
});

test('a closed terminal ends it in the same way', async () => {
  await expectToFinish(await startWithToken({ DATA_DIR: ':memory:' }), 'SIGHUP', 'process');
});

test.each(['json', 'text'])(
  'the end of who reads its lines does not stop it, with LOG_FORMAT=%s',
  async (LOG_FORMAT) => {
    const runtime = await startRuntime({ LOG_FORMAT });
    runtime.ignore();
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await runtime.status(anyRead, insecureLocalToken)).toBe(200);
      await sleep(50);
    }
  },
);

test('a second signal does not wait for running requests', async () => {
  const runtime = await startRuntime();
  const socket = await halfRequest(runtime, insecureLocalToken);
  socket.on('error', () => {});
  runtime.signal('SIGINT');
  // On a busy machine two of them may arrive at once.
  let isOver = false;
  const ended = runtime.ended.finally(() => {
    isOver = true;
  });
  for (await sleep(600); !isOver; await sleep(600)) runtime.signal('SIGINT');
  expect(await ended).toMatchObject({ code: 1 });
});
