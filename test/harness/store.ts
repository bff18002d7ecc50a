import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { Problem } from '../../infra/problem.ts';
import { type DynamoDbServer, startDynamoDbServer } from './dynamodb-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The addresses of the stores that all tests of this run share; each has a table of its own on one of them. There are
     * none where every worker opens a store within itself.
     */
    storeEndpoints: readonly string[];
    /** The folder where the processes that tests start keep what they compile. */
    compileCache: string;
  }
}

let stores: readonly DynamoDbServer[] = [];
let compileCache: string | undefined;

/**
 * Uses the store that `DYNAMODB_ENDPOINT` names, or starts a DynamoDB-compatible server for each worker in the mode
 * `dynamodb`: with fewer tables, it takes less time for each request. Otherwise every worker has the embedded store.
 */
export async function setup(project: TestProject): Promise<void> {
  const { DYNAMODB_ENDPOINT } = process.env;
  const { mode, maxWorkers } = project.config;
  if (!DYNAMODB_ENDPOINT && mode === 'dynamodb')
    stores = await Promise.all(Array.from({ length: maxWorkers }, startServer));
  project.provide('storeEndpoints', DYNAMODB_ENDPOINT ? [DYNAMODB_ENDPOINT] : stores.map(({ endpoint }) => endpoint));
  compileCache = await mkdtemp(join(tmpdir(), 'flagstaff-compiled-'));
  project.provide('compileCache', compileCache);
}

/** Starts a server. Where there is none, one sentence says what to do; a stack of the test runner's would hide it. */
async function startServer(): Promise<DynamoDbServer> {
  try {
    return await startDynamoDbServer({ file: undefined });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

export async function teardown(): Promise<void> {
  await Promise.all(stores.map((store) => store.stop()));
  if (compileCache !== undefined) await rm(compileCache, { recursive: true, force: true, maxRetries: 10 });
}
