import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Address } from '../../harness/http-call.ts';
import type { LocalProcess } from '../../harness/local-process.ts';

/** A folder that `--save` has written. */
export interface SavedFolder {
  readonly folder: string;
}

/** A command as it has ended. */
export interface RanCommand {
  /** Null where it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

interface RunningOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** Kills it then, wherever it is. */
  readonly killAfterMs?: number | undefined;
  /** Sends Ctrl-C when it has come. */
  readonly until?: Promise<unknown> | undefined;
}

/** Runs a command of the project on the store of a server, in a process of its own. */
async function runOn(
  { directory }: LocalProcess,
  [command = '', ...args]: readonly string[],
  { environment, killAfterMs, until }: RunningOptions = {},
): Promise<RanCommand> {
  const program = fileURLToPath(new URL(`../../../infra/commands/${command}.ts`, import.meta.url));
  const start = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: directory, TABLE_NAME: 'flagstaff', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  until?.finally(() => child.kill('SIGINT'));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  clearTimeout(timer);
  return { code: child.exitCode, stdout, stderr, milliseconds: performance.now() - start };
}

/** Runs `npm run migrate` from a server or a folder into the store of another server. */
export function runMigrate(
  source: Address | SavedFolder,
  target: LocalProcess,
  { options = ['--yes'], ...running }: { readonly options?: readonly string[] } & RunningOptions = {},
): Promise<RanCommand> {
  const [from, environment] = 'folder' in source ? [source.folder, {}] : [source.url, { UNLEASH_TOKEN: source.token }];
  return runOn(target, ['migrate', '--from', from, ...options], { ...running, environment });
}

/** Makes a personal token of the first administrator, whom an Unleash server has under the same name. */
export async function tokenOfAdmin(server: LocalProcess): Promise<string> {
  const { code, stdout, stderr } = await runOn(server, ['token', '--user', 'admin', '--role', 'Admin']);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}
