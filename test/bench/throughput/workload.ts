import type { TimedCall } from '../../harness/http-call.ts';
import type { MeasuredServer } from './server.ts';

/** A kind of work: calls of one operation, of which each really does what the operation is for. */
export interface Workload {
  readonly name: string;
  readonly kind: 'read' | 'write';
  /** True for work on all that is stored, or on a list of it, which grows with that. */
  readonly lists?: true;
  /** Least ratio of the peer's processor time of a call to ours, if it is another one than that of most work. */
  readonly ratioMin?: number;
  /** The most microseconds of processor time that a call may take of the server. */
  readonly processorMax?: number;
  /** The most milliseconds that half of the calls may take, where there is one caller. */
  readonly p50Max?: number;
  /** Number of calls prepared at a time, if that takes much longer than the calls themselves. */
  readonly callsMax?: number;
  /** Makes the server ready for so many calls, and answers them: as many, or fewer if it cannot be ready for more. */
  prepare(server: MeasuredServer, amount: number): Promise<TimedCall[]>;
}

const workOf =
  (kind: Workload['kind']) =>
  (name: string, more: Omit<Workload, 'name' | 'kind' | 'prepare'>, prepare: Workload['prepare']): Workload => ({
    ...{ name, kind },
    ...more,
    prepare,
  });

/** A kind of work that changes nothing. */
export const readWork = workOf('read');
/** A kind of work that changes something. */
export const writeWork = workOf('write');
