import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Request } from '../../../lib/request.ts';
import { requestTo } from '../../../lib/request.ts';
import { openStore } from '../../../lib/store/client/client.ts';
import { newSecret } from '../../../lib/tokens/token.ts';
import { flagstaffPreparation } from './flagstaff.ts';
import { processTimeOf } from './process-time.ts';
import { MeasuredServer } from './server.ts';

const start = fileURLToPath(new URL('../../../infra/local/start.ts', import.meta.url));

/** The largest body limit that the server accepts, so that it takes a thousand features at once. */
const importBytesMax = 4_718_592;
const tableName = 'flagstaff';

/** The real local server in a process of its own. It ends, and its data go, with the block that uses it. */
export interface LocalProcess extends AsyncDisposable {
  readonly server: MeasuredServer;
  readonly pid: number;
  /** Endpoint of its store. */
  readonly storeEndpoint: string;
  /** Its table, for what the API cannot create yet. */
  readonly table: Request;
}

export interface LocalProcessOptions {
  /** `file` is what `npm start` does; `memory` fills faster. */
  readonly store: 'file' | 'memory';
  /** Further options of Node. */
  readonly nodeFlags?: readonly string[];
  /** Further settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** @throws Error with what the server said when it does not start. */
export async function startLocalProcess({
  store,
  nodeFlags = [],
  environment = {},
}: LocalProcessOptions): Promise<LocalProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'flagstaff-bench-'));
  const token = newSecret('admin');
  const child = spawn(process.execPath, [...nodeFlags, start], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      STORE_PORT: '0',
      LOG_LEVEL: 'WARN',
      TABLE_NAME: tableName,
      DATA_DIR: store === 'file' ? directory : ':memory:',
      INIT_ADMIN_API_TOKENS: token,
      IMPORT_BODY_LIMIT_BYTES: String(importBytesMax),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pid = 0 } = child;
  const ended = once(child, 'exit');
  // Whatever ends us, neither it nor its data must outlive us.
  const removeData = () => rmSync(directory, { recursive: true, force: true });
  const endWithUs = () => {
    child.kill();
    removeData();
  };
  process.once('exit', endWithUs);

  const lines: string[] = [];
  const found = Promise.withResolvers<{ port: string; endpoint: string }>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    const text = lines.join('\n');
    const [, port] = /serves http:\/\/\S+:(\d+)/.exec(text) ?? [];
    const [, endpoint] = /The store is (http:\S+),/.exec(text) ?? [];
    if (port !== undefined && endpoint !== undefined) found.resolve({ port, endpoint });
  });
  void ended.then(() => found.reject(new Error(`The server did not start: ${lines.join('\n')}`)));

  const { port, endpoint } = await found.promise;
  const address = { url: `http://127.0.0.1:${port}`, token };
  const table = requestTo(openStore({ name: tableName, endpoint }));
  return {
    server: new MeasuredServer(
      { name: 'Flagstaff', ...address },
      flagstaffPreparation(address, table, importBytesMax),
      () => processTimeOf([pid]),
    ),
    pid,
    storeEndpoint: endpoint,
    table,
    async [Symbol.asyncDispose]() {
      table.store.client.destroy();
      child.kill();
      await ended;
      removeData();
      process.off('exit', endWithUs);
    },
  };
}
