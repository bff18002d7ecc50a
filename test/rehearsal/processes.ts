import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './environment.ts';

/** A reason why the rehearsal cannot go on. The message is for the person who runs it. */
export class RehearsalProblem extends Error {}

export interface ProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Ends the process and its child processes when it fires. */
  readonly signal: AbortSignal;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  /** The text of stdout and stderr, in the order of arrival. */
  readonly output: string;
}

/** A process that runs in the background. */
export interface BackgroundProcess {
  /** Returns its output so far. */
  output(): string;
  readonly ended: Promise<unknown>;
  /** Ends the process and its child processes, and waits until they have ended. */
  stop(): Promise<void>;
}

/** The time between SIGTERM and SIGKILL. */
const stopMs = 5_000;

/** Starts a process in a process group of its own, so that it can be ended together with its child processes. */
export function start(command: string, args: readonly string[], { env, signal }: ProcessOptions): BackgroundProcess {
  const child = launch(command, args, env);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
  const ended = once(child, 'close').catch(() => undefined);
  async function stop(): Promise<void> {
    signal.removeEventListener('abort', stop);
    await endGroup(child, ended);
  }
  signal.addEventListener('abort', stop, { once: true });
  return { output: () => output, ended, stop };
}

/**
 * Runs a command and waits until it ends.
 * @throws RehearsalProblem if the command does not exist, or the reason of the signal if that fires.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  { env, signal }: ProcessOptions,
): Promise<Finished> {
  signal.throwIfAborted();
  const child = launch(command, args, env);
  let stdout = '';
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk;
    output += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk));
  const ended = once(child, 'close');
  const abort = () => void endGroup(child, ended);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await ended;
  } catch (error) {
    throw new RehearsalProblem(`${command} cannot be run: ${(error as Error).message}`);
  } finally {
    signal.removeEventListener('abort', abort);
  }
  signal.throwIfAborted();
  return { code: child.exitCode, stdout, output };
}

/**
 * Runs a command that must succeed.
 * @throws RehearsalProblem with the end of its output if its exit code is not 0.
 */
export async function runOrThrow(command: string, args: readonly string[], options: ProcessOptions): Promise<Finished> {
  const finished = await runProcess(command, args, options);
  if (finished.code !== 0)
    throw new RehearsalProblem(`${[command, ...args].join(' ')} failed:\n${tail(finished.output)}`);
  return finished;
}

/** Runs a command of this project on the deployed table, as the README describes. @returns its output. */
export async function runOnTable(
  name: 'seed' | 'token' | 'backup' | 'restore' | 'verify',
  args: readonly string[],
  tableName: string,
  { env, signal }: ProcessOptions,
): Promise<string> {
  const file = join(root, 'infra', 'commands', `${name}.ts`);
  const { stdout } = await runOrThrow(process.execPath, [file, ...args], {
    env: { ...env, TABLE_NAME: tableName },
    signal,
  });
  return stdout.trim();
}

/** Returns the last lines of an output, for an error message. */
export function tail(output: string, lines = 60): string {
  return output.trimEnd().split('\n').slice(-lines).join('\n');
}

function launch(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function endGroup(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const hasEnded = ended.then(
    () => true,
    () => true,
  );
  const timer = new AbortController();
  const timeout = sleep(stopMs, false, { signal: timer.signal }).catch(() => false);
  await Promise.race([hasEnded, timeout]);
  timer.abort();
  // Its child processes may still run, even if the process itself has ended.
  signalGroup(child, 'SIGKILL');
  await hasEnded;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}
