import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './environment.ts';
import { RehearsalProblem } from './problem.ts';

export interface ProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Ends the process, and all that it started, as soon as it fires. */
  readonly signal: AbortSignal;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  /** Everything that it printed, in the order in which it came. */
  readonly output: string;
}

/** A process that goes on while others do their work. */
export interface BackgroundProcess {
  /** Returns its output so far. */
  output(): string;
  readonly ended: Promise<unknown>;
  /** Ends it and all that it started, and is done when it is gone. */
  stop(): Promise<void>;
}

/** After that, a process that was asked to end is ended. */
const stopPatienceMs = 5_000;

/** Starts a process in a group of its own, so that it can be ended with all that it starts, and nothing else is. */
export function start(command: string, args: readonly string[], { env, signal }: ProcessOptions): BackgroundProcess {
  const child = launch(command, args, env);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (printed += chunk));
  const ended = once(child, 'close').catch(() => undefined);
  async function stop(): Promise<void> {
    signal.removeEventListener('abort', stop);
    await endGroup(child, ended);
  }
  signal.addEventListener('abort', stop, { once: true });
  return { output: () => printed, ended, stop };
}

/**
 * Runs a command to its end.
 * @throws RehearsalProblem when there is no such command, or when the signal ends it.
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
 * Runs a command that has to succeed.
 * @throws RehearsalProblem with what it printed last when it fails.
 */
export async function runWell(command: string, args: readonly string[], options: ProcessOptions): Promise<Finished> {
  const finished = await runProcess(command, args, options);
  if (finished.code !== 0)
    throw new RehearsalProblem(`${[command, ...args].join(' ')} failed:\n${tail(finished.output)}`);
  return finished;
}

/** As much of an output as helps to see what went wrong. */
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
  const patience = new AbortController();
  const isLate = sleep(stopPatienceMs, false, { signal: patience.signal }).catch(() => false);
  await Promise.race([hasEnded, isLate]);
  patience.abort();
  // Also when it has ended: what it started may have stayed.
  signalGroup(child, 'SIGKILL');
  await hasEnded;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}
