import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { takesConnections } from '../../../infra/commands/store.ts';
import { cheapPasswords } from '../../harness/cheap-passwords.ts';
import { compileCache } from '../../harness/compile-cache.ts';
import { logWatch } from '../../harness/log-watch.ts';
import { programOf, roomForNew } from '../../harness/programs.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Variables = Readonly<Record<string, string>>;

interface Program {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Result of a process that has ended. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines on stderr, as text. */
  readonly problems: readonly string[];
}

/** The local runtime, in a process group of its own, serving. */
export interface LocalRuntime {
  readonly pid: number;
  readonly url: string;
  /** Everything it printed until it served. */
  readonly printed: string;
  readonly ended: Promise<Ending>;
  /** Signals the process alone, as `kill` does, or its whole group, as Ctrl-C does. */
  signal(signal: NodeJS.Signals, to?: 'process' | 'group'): void;
  /** Reads nothing more of what it prints, and closes the other end. */
  ignore(): void;
  /** Waits until it has printed a text since it serves. */
  untilPrinted(pattern: RegExp): Promise<void>;
  /** Answers a request with a token: a POST where it has a body. */
  ask(path: string, token: string, body?: object): Promise<Response>;
  /** The status of a request with a token. */
  status(path: string, token: string): Promise<number>;
}

/** Runs the local service, as `npm start` does, and waits for its end. */
export function runToEnd(variables: Variables): Promise<Ending> {
  const runtime = launch(variables);
  onTestFinished(() => end(runtime));
  return endingOf(runtime);
}

/**
 * Runs the local service, as `npm start` does, on free ports and in memory unless said otherwise, and waits until it
 * serves.
 * @param program another bundle of it, with its arguments and the folder that it starts in.
 */
export async function startRuntime(variables: Variables = {}, program?: Program): Promise<LocalRuntime> {
  const runtime = launch(variables, program);
  onTestFinished(() => end(runtime));
  return whenServing(runtime);
}

/** A runtime that all tests of a file or a group share, which ask it and leave it as it is. The first one starts it. */
export function sharedRuntime(variables: Variables = {}): () => Promise<LocalRuntime> {
  let runtime: ChildProcess | undefined;
  let serving: Promise<LocalRuntime> | undefined;
  afterAll(async () => runtime && (await end(runtime)));
  return () => {
    runtime ??= launch(variables);
    serving ??= whenServing(runtime);
    return serving;
  };
}

async function whenServing(runtime: ChildProcess): Promise<LocalRuntime> {
  const ended = endingOf(runtime);
  const printed = await Promise.race([printedUntilServing(runtime), ended.then(refuse)]);
  const [, url = ''] = /serves (http:\S+)/.exec(printed) ?? [];
  const { pid = 0 } = runtime;
  let since = '';
  runtime.stdout?.on('data', (chunk: Buffer) => {
    since += chunk.toString();
  });
  const ask = (path: string, authorization: string, body?: object) => {
    logWatch.keepToken(authorization);
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    return fetch(url + path, { headers: { authorization, 'content-type': 'application/json' }, ...sent });
  };
  return {
    pid,
    url,
    printed,
    ended,
    signal(signal, to = 'process') {
      process.kill(to === 'group' ? -pid : pid, signal);
    },
    ignore() {
      ended.catch(() => {});
      for (const output of [runtime.stdout, runtime.stderr]) output?.destroy();
    },
    async untilPrinted(pattern) {
      while (!pattern.test(since)) await sleep(5);
    },
    ask,
    async status(path, token) {
      const answer = await ask(path, token);
      await answer.text();
      return answer.status;
    },
  };
}

/**
 * Waits until nobody listens on a port any more; a killed process takes a moment to go, on a busy machine a long one.
 */
export async function untilFree(port: number): Promise<void> {
  while (await takesConnections('127.0.0.1', port)) await sleep(10);
}

const npmStart = (): Program => ({ args: [programOf('infra/local/start.ts')], cwd: root });

function launch(variables: Variables, { args, cwd } = npmStart()): ChildProcess {
  const runtime = spawn(process.execPath, [roomForNew, ...cheapPasswords, ...args], {
    cwd,
    // Nothing of what the tests run in may leak in, least of all the address of their own store.
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: ':memory:',
      LOG_LEVEL: 'DEBUG',
      // The lines that Lambda would write, for those who watch the log.
      LOG_FORMAT: 'json',
      ...compileCache(),
      ...variables,
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Its output for the user is not part of the log, and may name the first token.
  createInterface(runtime.stdout).on('line', (line) => isLogged(line) && logWatch.read(line));
  return runtime;
}

async function end(runtime: ChildProcess): Promise<void> {
  if (runtime.exitCode !== null || runtime.signalCode !== null) return;
  process.kill(-(runtime.pid ?? 0), 'SIGKILL');
  await once(runtime, 'exit');
}

async function endingOf(runtime: ChildProcess): Promise<Ending> {
  const { stdout, stderr } = runtime;
  if (stdout === null || stderr === null) throw new Error('The runtime has no output to read.');
  const [printed, complained, [code]] = await Promise.all([text(stdout), text(stderr), once(runtime, 'exit')]);
  const problems = toText(complained).split('\n');
  return { code, stdout: printed, stderr: complained, problems: problems.filter((line) => line !== '') };
}

function printedUntilServing(runtime: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve) => {
    runtime.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('Try: curl') && printed.endsWith('\n')) resolve(toText(printed));
    });
  });
}

/** Tells a line of the log from what is said to the user. */
const isLogged = (line: string) => line.includes('"sampling_rate"');

/** Returns the plain text of a process for its user, also from lines of JSON. */
function toText(printed: string): string {
  return printed.replaceAll(/^\{.*\}$/gm, (line) => (isLogged(line) ? line : JSON.parse(line).message));
}

function refuse({ code, problems }: Ending): never {
  throw new Error(`The runtime ended with ${code}: ${problems.join('\n')}`);
}
