import type { GatewayRequest, Reply } from '../../harness/gateway.ts';

/** Moments of a death, relative to a call. */
export const moments = ['before', 'after'] as const;

/** Place of a death: at a call to the store, before it goes out, or after it was carried out, its answer unread. */
export interface Death {
  readonly victim: 'process' | 'store';
  /** The name of the call, and which one of that name it is; the first is 1. A busy machine joins reads in other ways. */
  readonly call: string;
  readonly place: number;
  readonly moment: (typeof moments)[number];
}

/** Returns the ordinal of the last call among those of its name; the first is 1. */
export function ordinalOf(calls: readonly string[]): number {
  return calls.filter((each) => each === calls.at(-1)).length;
}

/** Task of a process: one request to the service, and the death that waits on its way. */
export interface Job {
  readonly environment: Readonly<Record<string, string>>;
  readonly request: GatewayRequest;
  readonly death?: Death | undefined;
  /** The file of the store that the process opens itself. */
  readonly storeFile?: string | undefined;
  /**
   * True if a store that died has forgotten its transactions, as the embedded one does; otherwise it behaves as AWS's,
   * which knows them for ten minutes.
   */
  readonly storeForgets: boolean;
}

/** Message of a process. */
export type Word =
  | { readonly is: 'begun' }
  | { readonly is: 'store must die' }
  | { readonly is: 'answered'; readonly answer: Reply; readonly calls: readonly string[] };

/** The error of a process whose store is dead. */
export const storeIsDead = 'store is dead';
