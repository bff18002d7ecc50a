import type { Call } from './call.ts';
import type { Server } from './server.ts';

/** A kind of work: calls of one operation, of which each really does what the operation is for. */
export interface Workload {
  readonly name: string;
  /** `contended` has all clients change one thing, so that writers wait for each other. */
  readonly kind: 'read' | 'write' | 'contended';
  /** Whether its answer is a list that grows with what is stored. */
  readonly lists?: true;
  /** How many calls are made ready at a time, where that takes much longer than the calls themselves. */
  readonly callsMax?: number;
  /** Makes the server ready for so many calls, and answers them: as many, or fewer if it cannot be ready for more. */
  prepare(server: Server, amount: number): Promise<Call[]>;
}
