import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { compileCache, compiledSources } from '../../harness/compile-cache.ts';
import { programOf, roomForNew } from '../../harness/programs.ts';
import type { CommandResult, Line } from './command-host.ts';

const hostFile = fileURLToPath(new URL('command-host.ts', import.meta.url));
const fileOf = (name: string) => fileURLToPath(new URL(`../../../infra/commands/${name}.ts`, import.meta.url));

/** Starts a command of the project in a process of its own. */
export function startProgram(name: string, args: readonly string[], settings: NodeJS.ProcessEnv = {}) {
  return spawn(process.execPath, [roomForNew, programOf(`infra/commands/${name}.ts`), ...args], {
    env: { ...process.env, ...compileCache(), ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs a command of the project in a process of its own, on the store that this process's environment names. */
export async function startCommand(
  name: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
  input = '',
): Promise<CommandResult> {
  const child = startProgram(name, args, settings);
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

/**
 * As `startCommand`, in a process that carries one command out after the other: starting one takes longer than most of
 * them. Each command has a test that starts it by itself.
 */
export function runProgram(
  name: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  return runFile(fileOf(name), args, { ...process.env, ...settings });
}

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Outcome of a command that says only why it did nothing; it ends with 2 where it is called in a wrong way. */
export const refusal = (reason: RegExp | string, code: 1 | 2 = 1) => ({
  code,
  stdout: '',
  stderr: expect.stringMatching(reason),
});

/** As `runCommand`, for the file of any command. */
export function runFile(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  const line: Line = { file, args, env };
  const finished = last.then(() => carryOut(line));
  last = finished.catch(() => undefined);
  return finished;
}

/** The host goes with this process, which it does not keep from ending. */
async function carryOut(line: Line): Promise<CommandResult> {
  if (host === undefined) {
    const env = { PATH: process.env.PATH, ...compiledSources() };
    host = fork(hostFile, { env, execArgv: [roomForNew], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    host.unref();
    host.channel?.unref();
  }
  const started = host;
  const ended = new AbortController();
  const onExit = () => ended.abort(new Error('The process that runs the commands has ended.'));
  started.once('exit', onExit);
  try {
    started.send(line);
    const [finished] = await once(started, 'message', { signal: ended.signal });
    return finished;
  } catch (error) {
    host = undefined;
    throw error;
  } finally {
    started.off('exit', onExit);
  }
}
