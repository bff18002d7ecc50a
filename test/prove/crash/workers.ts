import type { ChildProcess } from 'node:child_process';
import type { Reply } from '../../harness/gateway.ts';
import { kill, openMortalProcesses } from '../mortal-processes.ts';
import { type Job, storeIsDead, type Word } from './protocol.ts';

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

export async function openWorkers(directory: string): Promise<Workers> {
  const processes = await openMortalProcesses(directory, new URL('worker.ts', import.meta.url));
  return {
    run: (job, options = {}) => fateOf(processes.next(), job, options),
    [Symbol.dispose]: () => processes[Symbol.dispose](),
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
    await kill(worker);
  }
}
