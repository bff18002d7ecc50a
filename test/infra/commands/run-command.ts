import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../../harness/compile-cache.ts';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the project in a process of its own, on the store that this process's environment names. */
export async function runCommand(
  name: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  const file = fileURLToPath(new URL(`../../../infra/commands/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...compileCache(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}
