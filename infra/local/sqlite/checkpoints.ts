import { once } from 'node:events';
import type * as sqlite from 'node:sqlite';
import * as threads from 'node:worker_threads';
import { describeError } from '../../problem.ts';
import { say } from '../say.ts';

/** The number of frames in the log, of a page each, from which they are moved into the file. */
const maxFrames = 1_000;

/**
 * Moves committed changes from the log into the file. A separate thread does that, since it waits for the disk. It is started for the
 * first checkpoint.
 */
export class Checkpoints {
  readonly #file: string;
  #worker: threads.Worker | undefined;
  #running: Promise<void> | undefined;
  /** The number of frames at which the next checkpoint is due; infinity during a checkpoint. */
  #dueAt = maxFrames;

  constructor(file: string) {
    this.#file = file;
  }

  /** Starts a checkpoint if the log has grown enough since the last one. */
  startIfDue(frames: number): void {
    if (frames < this.#dueAt) return;
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#running = this.#checkpoint(frames);
  }

  /** Waits for a running checkpoint, and stops the thread. */
  async close(): Promise<void> {
    this.#worker?.ref();
    await this.#running;
    await this.#worker?.terminate();
  }

  async #checkpoint(frames: number): Promise<void> {
    let remaining = frames;
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage(undefined);
      const [result]: CheckpointResult[] = await once(this.#worker, 'message');
      if (result?.problem !== undefined) throw new Error(result.problem);
      remaining = result?.remaining ?? 0;
    } catch (error) {
      // The next checkpoint tries again.
      say(`The log of ${this.#file} could not be moved into it: ${describeError(error)}`, 'WARN');
    }
    this.#dueAt = remaining + maxFrames;
  }

  #start(): threads.Worker {
    // The program is passed as text, since a bundle has no separate file for it.
    const program = `(${moveOnDemand})(require('node:sqlite'), require('node:worker_threads'))`;
    const worker = new threads.Worker(program, { eval: true, execArgv: [], workerData: this.#file });
    worker.unref();
    worker.once('exit', () => {
      this.#worker = undefined;
    });
    return worker;
  }
}

interface CheckpointResult {
  /** The number of frames that are still in the log, since another connection reads an earlier state. */
  readonly remaining: number;
  readonly problem?: string;
}

/**
 * The program of the thread. It moves most frames while others write. During the rest, writers must wait, since otherwise the log would
 * grow forever. Finally it writes, which makes SQLite reuse the log from its start: that, too, waits for the disk.
 */
function moveOnDemand({ DatabaseSync }: typeof sqlite, { parentPort, workerData }: typeof threads): void {
  const maxAttempts = 500;
  const clock = new Int32Array(new SharedArrayBuffer(4));

  function move(): CheckpointResult {
    using database = new DatabaseSync(workerData, { timeout: 0 });
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA wal_checkpoint(PASSIVE)');
    const rest = database.prepare('PRAGMA wal_checkpoint(FULL)');
    let { busy, log } = rest.get() ?? {};
    for (let attempt = 1; busy !== 0 && attempt < maxAttempts; attempt += 1) {
      Atomics.wait(clock, 0, 0, 1);
      ({ busy, log } = rest.get() ?? {});
    }
    if (busy !== 0) return { remaining: Number(log) };
    const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
    try {
      database.exec(`PRAGMA busy_timeout = 1000; PRAGMA user_version = ${version}`);
    } catch {
      // In this case, the next writer reuses the log.
    }
    return { remaining: 0 };
  }

  parentPort?.on('message', () => {
    try {
      parentPort.postMessage(move());
    } catch (error) {
      parentPort.postMessage({ remaining: 0, problem: error instanceof Error ? error.message : String(error) });
    }
  });
}
