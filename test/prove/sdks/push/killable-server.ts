import { type LocalProcess, startLocalProcess } from '../../../harness/local-process.ts';
import { freePort } from '../../../harness/ports.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';
import { Flags } from '../flags.ts';
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts';

/** A server with flags that can be killed, and a proxy to it. It ends with the block that uses it. */
export interface KillableServer extends AsyncDisposable {
  readonly flags: Flags;
  readonly proxy: CountingProxy;
  /** Kills the server without a warning, and starts it again on the same store and port. */
  restart(): Promise<void>;
}

/** Starts a server as `npm start` does. */
export async function startKillableServer(environment: NodeJS.ProcessEnv = {}): Promise<KillableServer> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const PORT = String(await freePort('127.0.0.1'));
  const start = () =>
    startLocalProcess({ store: 'file', environment: { PORT, DATA_DIR: folder.path, ...environment } });
  let server: LocalProcess = await start();
  stack.defer(() => server[Symbol.asyncDispose]());
  // The token of the first server is in the store, so it stays.
  const flags = new Flags(server);
  await flags.make();
  const proxy = stack.use(await startCountingProxy([server.url]));
  return {
    flags,
    proxy,
    async restart() {
      process.kill(server.pid, 'SIGKILL');
      await server[Symbol.asyncDispose]();
      server = await start();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
