import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Reply } from '../../harness/gateway.ts';
import { type Job, storeIsDead, type Word } from './protocol.ts';

const source = fileURLToPath(new URL('worker.ts', import.meta.url));

/** Number of processes that start while another one works: starting is most of their work. */
const spares = 2;

/** Outcome of a job: an answer with the calls and the time that it took, or undefined if the process was killed. */
export type Fate =
  | { readonly answer: Reply; readonly calls: readonly string[]; readonly milliseconds: number }
  | undefined;

export interface RunOptions {
  /** Kills the store; called when the death of the job is that of the store. */
  readonly killStore?: () => Promise<void>;
  /** Kills the process so many milliseconds after it has begun. */
  readonly killAfterMs?: number;
}

/** Processes that carry out one job each. */
export interface Workers extends Disposable {
  run(job: Job, options?: RunOptions): Promise<Fate>;
}

/**
 * Opens the workers. In one file, and with Node's compile cache kept in the directory, a process starts in a quarter of
 * the time.
 */
export async function openWorkers(directory: string): Promise<Workers> {
  const program = join(directory, 'worker.cjs');
  await build({
    entryPoints: [source],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
    // Only the API reference asks where its files are, and no job does.
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const env = { ...process.env, NODE_COMPILE_CACHE: join(directory, 'cache') };
  const start = () => fork(program, { env });
  const waiting = Array.from({ length: spares }, start);

  return {
    run(job, options = {}) {
      waiting.push(start());
      return fateOf(waiting.shift() ?? start(), job, options);
    },
    [Symbol.dispose]() {
      for (const worker of waiting) worker.kill('SIGKILL');
    },
  };
}

async function fateOf(worker: ChildProcess, job: Job, { killStore, killAfterMs }: RunOptions): Promise<Fate> {
  const { promise, resolve, reject } = Promise.withResolvers<Fate>();
  let timer: NodeJS.Timeout | undefined;
  let begunAt = 0;
  worker.once('exit', (code, signal) => {
    if (signal === 'SIGKILL') resolve(undefined);
    else reject(new Error(`A process ended by itself, with ${code ?? signal}.`));
  });
  worker.on('message', (word: Word) => {
    switch (word.is) {
      case 'begun':
        begunAt = performance.now();
        if (killAfterMs !== undefined) timer = setTimeout(() => worker.kill('SIGKILL'), killAfterMs);
        break;
      case 'store must die':
        killStore?.().then(() => worker.send(storeIsDead), reject);
        break;
      case 'answered':
        resolve({ ...word, milliseconds: performance.now() - begunAt });
    }
  });
  worker.send(job);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.kill('SIGKILL');
  }
}
