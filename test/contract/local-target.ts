import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../harness/compile-cache.ts';
import { startCommand } from '../infra/commands/run-command.ts';
import type { Target } from './target.ts';

/** A service of our own that ends with the tests. */
export interface LocalTarget extends Target {
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const patienceMs = 120_000;

/**
 * Runs the local service, as `npm start` does, on free ports and in memory, with the data of the seed file that the
 * contract asks for.
 */
export async function startLocalTarget(): Promise<LocalTarget> {
  const adminToken = `*:*.${randomBytes(28).toString('hex')}`;
  const server = spawn(process.execPath, ['infra/local/start.ts'], {
    cwd: root,
    // Nothing of what the tests run in may leak in, least of all the address of their own store.
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      STORE_PORT: '0',
      LOG_LEVEL: 'WARN',
      DATA_DIR: ':memory:',
      SEED_FILE: 'test/contract/seed.json',
      INIT_ADMIN_API_TOKENS: adminToken,
      ...compileCache(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  async function stop(): Promise<void> {
    server.kill('SIGTERM');
    await ended;
  }
  const impatience = setTimeout(() => server.kill('SIGKILL'), patienceMs);
  const { url, store } = await addressesIn(createInterface(server.stdout));
  clearTimeout(impatience);
  const { stdout } = await startCommand('token', ['--user', 'contract-viewer', '--role', 'Viewer'], {
    DYNAMODB_ENDPOINT: store,
    TABLE_NAME: '',
  });
  return { url, host: undefined, adminToken, viewerToken: stdout.trim(), stop };
}

/** Reads the addresses that the server prints once it serves. */
async function addressesIn(lines: AsyncIterable<string>): Promise<{ url: string; store: string }> {
  let url = '';
  let store = '';
  for await (const line of lines) {
    url ||= /serves (http:\S+)/.exec(line)?.[1] ?? '';
    store ||= /store is (http:[^,]+),/.exec(line)?.[1] ?? '';
    if (line.startsWith('Try: ')) return { url, store };
  }
  throw new Error('The server ended before it served.');
}
