import type { Reply } from '../../harness/gateway.ts';
import { contentAtRest, contentOf, type Item, restoreContent } from '../../harness/items.ts';
import { World } from '../../harness/world.ts';
import { openService } from '../service.ts';
import { answerTo } from './answer-to.ts';
import type { MortalStore } from './mortal-store.ts';
import type { Death, Job } from './protocol.ts';
import type { PreparedRequest, Scenario } from './scenarios.ts';
import type { Fate, RunOptions, Workers } from './workers.ts';

/** A table on which one request is carried out again and again, each time from the same state. */
export interface CrashStage extends Omit<PreparedRequest, 'request'> {
  /** Contents of the table before each request. */
  readonly begin: readonly Item[];
  /** Makes the table hold that, whatever it holds now. */
  reset(): Promise<void>;
  /** Carries the request out in a process of its own, with a death on its way. */
  runInProcess(death?: Death, options?: RunOptions): Promise<Fate>;
  /** Carries the request out in this process. */
  send(): Promise<Reply>;
  content(): Promise<Item[]>;
  /** The content when all is done that a dead process had asked for. */
  contentAtRest(): Promise<Item[]>;
}

/** Returns the headers of a request with an idempotency key, or without one. */
export const keyHeaders = (isKeyed: boolean): Record<string, string> => (isKeyed ? { 'idempotency-key': 'crash' } : {});

/** Components that can die. */
export interface Equipment {
  readonly store: MortalStore;
  readonly workers: Workers;
}

export async function setStage(
  { store, workers }: Equipment,
  prepare: Scenario['prepare'],
  keyHeaders: Readonly<Record<string, string>>,
): Promise<CrashStage> {
  const service = await openService();
  const { request: prepared, ...about } = await prepare(new World(service));
  const request = { ...prepared, headers: { ...prepared.headers, ...keyHeaders } };
  const begin = await contentOf(service.table);

  const { DYNAMODB_ENDPOINT = '', TABLE_NAME = '', LOG_LEVEL = '' } = process.env;
  const environment = { DYNAMODB_ENDPOINT, TABLE_NAME, LOG_LEVEL };
  const headers = { authorization: service.adminToken, ...request.headers };
  // A key must do without the store's memory; without a key it is all there is.
  const storeForgets = 'idempotency-key' in headers;
  const job: Job = { environment, request: { ...request, headers }, storeForgets, storeFile: store.file };

  return {
    begin,
    ...about,
    reset: () => restoreContent(service.table, begin),
    runInProcess: (death, options) =>
      store.lend(() => workers.run({ ...job, death }, { killStore: store.die, ...options })),
    send: () => answerTo(job.request),
    content: () => contentOf(service.table),
    contentAtRest: () => contentAtRest(service.table),
  };
}
