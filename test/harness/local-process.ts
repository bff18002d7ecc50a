import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openEmbeddedStore } from '../../infra/local/embedded-store.ts';
import { makeSecret } from '../../lib/identity/tokens/token.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { temporaryFolder } from './temporary-folder.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const [, ...startArguments] = packageFile.scripts.start.split(' ');

/** The real local server in a process of its own. It ends, and its data go, with the block that uses it. */
export interface LocalProcess extends AsyncDisposable {
  /** URL without a trailing slash. */
  readonly url: string;
  /** The token of an admin. */
  readonly token: string;
  readonly pid: number;
  /** The folder of its store. */
  readonly directory: string;
  /** The address of its store for clients in this process. */
  readonly storeEndpoint: string;
}

export interface LocalProcessOptions {
  /** `file` is what `npm start` does; `memory` fills faster, since no answer waits for the disk. */
  readonly store: 'file' | 'memory';
  /** Further settings. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Starts the server as `npm start` does, on free ports.
 * @throws Error with what the server said when it does not start.
 */
export async function startLocalProcess({ store, environment = {} }: LocalProcessOptions): Promise<LocalProcess> {
  const folder = temporaryFolder();
  const token = makeSecret('admin');
  const child = spawn(process.execPath, startArguments, {
    cwd,
    // Nothing of what a test runs in may leak in, least of all the address of its own store.
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'WARN',
      DATA_DIR: folder.path,
      STORE_DURABILITY: store === 'file' ? 'sync' : 'normal',
      INIT_ADMIN_API_TOKENS: token,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pid = 0 } = child;
  const ended = once(child, 'exit');
  // Whatever ends us, neither it nor its data must outlive us.
  const endWithUs = () => {
    child.kill();
    folder[Symbol.dispose]();
  };
  process.once('exit', endWithUs);

  const lines: string[] = [];
  const found = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    const text = lines.join('\n');
    const [, port] = /serves http:\/\/\S+:(\d+)/.exec(text) ?? [];
    if (port !== undefined && text.includes('Try: curl')) found.resolve(port);
  });
  void ended.then(() => found.reject(new Error(`The server did not start: ${lines.join('\n')}`)));

  const port = await found.promise;
  const directory = environment.DATA_DIR ?? folder.path;
  const opened = await openEmbeddedStore(directory, 'normal');
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    pid,
    directory,
    storeEndpoint: opened.address,
    async [Symbol.asyncDispose]() {
      child.kill();
      await Promise.all([ended, opened.close()]);
      folder[Symbol.dispose]();
      process.off('exit', endWithUs);
    },
  };
}
