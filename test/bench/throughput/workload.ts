import type { Call } from './call.ts';
import type { Server } from './server.ts';

/** A kind of work: calls of one operation, of which each really does what the operation is for. */
export interface Workload {
  readonly name: string;
  /** `contended` has all clients change one thing, so that writers wait for each other. */
  readonly kind: 'read' | 'write' | 'contended';
  /** Whether it is about all that is stored, or a list of it, so that it grows with that. */
  readonly lists?: true;
  /** How many times the peer's throughput it must reach, where that is not what its kind says. */
  readonly ratioMin?: number;
  /** The most microseconds of processor time that a call may take of the server. */
  readonly processorMax?: number;
  /** The most milliseconds that half of the calls may take, where there is one caller. */
  readonly p50Max?: number;
  /** The fewest calls that a server answers before it is measured, where that takes more than the time that warms others. */
  readonly warmCalls?: number;
  /** How many calls are made ready at a time, where that takes much longer than the calls themselves. */
  readonly callsMax?: number;
  /** Makes the server ready for so many calls, and answers them: as many, or fewer if it cannot be ready for more. */
  prepare(server: Server, amount: number): Promise<Call[]>;
}
