import { once } from 'node:events';
import type * as sqlite from 'node:sqlite';
import * as threads from 'node:worker_threads';
import { describeError } from '../../problem.ts';
import { say } from '../say.ts';

/** The frames that the log may have, of a page each, before they are moved into the file. */
const framesMax = 1_000;

/**
 * Moves committed changes from the log into the file, in a thread of its own, which may wait for the disk and begins with the
 * first need.
 */
export class Checkpoints {
  readonly #file: string;
  #worker: threads.Worker | undefined;
  #underWay: Promise<void> | undefined;
  /** The number of frames at which the next one is due; none while one is under way. */
  #dueAt = framesMax;

  constructor(file: string) {
    this.#file = file;
  }

  /** Begins one if the log has grown enough since the last one. */
  consider(frames: number): void {
    if (frames < this.#dueAt) return;
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#underWay = this.#checkpoint(frames);
  }

  /** Waits for one that is under way. */
  async close(): Promise<void> {
    this.#worker?.ref();
    await this.#underWay;
    await this.#worker?.terminate();
  }

  async #checkpoint(frames: number): Promise<void> {
    let left = frames;
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage(undefined);
      const [moved]: Moved[] = await once(this.#worker, 'message');
      if (moved?.problem !== undefined) throw new Error(moved.problem);
      left = moved?.left ?? 0;
    } catch (error) {
      // Another one may be luckier.
      say(`The log of ${this.#file} could not be moved into it: ${describeError(error)}`, 'WARN');
    }
    this.#dueAt = left + framesMax;
  }

  #start(): threads.Worker {
    // As text, since a bundle has no file of it.
    const program = `(${moveOnDemand})(require('node:sqlite'), require('node:worker_threads'))`;
    const worker = new threads.Worker(program, { eval: true, execArgv: [], workerData: this.#file });
    worker.unref();
    worker.once('exit', () => {
      this.#worker = undefined;
    });
    return worker;
  }
}

interface Moved {
  /** The frames that are still in the log, since somebody reads what was before them. */
  readonly left: number;
  readonly problem?: string;
}

/**
 * The program of the thread. Most is moved while others write; for the rest they have to wait, or the log would never end. A
 * change then begins it again, since that waits for the disk, too.
 */
function moveOnDemand({ DatabaseSync }: typeof sqlite, { parentPort, workerData }: typeof threads): void {
  const tries = 500;
  const clock = new Int32Array(new SharedArrayBuffer(4));

  function move(): Moved {
    using database = new DatabaseSync(workerData, { timeout: 0 });
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA wal_checkpoint(PASSIVE)');
    const rest = database.prepare('PRAGMA wal_checkpoint(FULL)');
    let { busy, log } = rest.get() ?? {};
    for (let tried = 1; busy !== 0 && tried < tries; tried += 1) {
      Atomics.wait(clock, 0, 0, 1);
      ({ busy, log } = rest.get() ?? {});
    }
    if (busy !== 0) return { left: Number(log) };
    const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
    try {
      database.exec(`PRAGMA busy_timeout = 1000; PRAGMA user_version = ${version}`);
    } catch {
      // Then the next writer begins it.
    }
    return { left: 0 };
  }

  parentPort?.on('message', () => {
    try {
      parentPort.postMessage(move());
    } catch (error) {
      parentPort.postMessage({ left: 0, problem: error instanceof Error ? error.message : String(error) });
    }
  });
}
