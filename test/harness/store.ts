import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedStore, startEmbeddedStore } from '../../infra/local/embedded-store.ts';
import { Problem } from '../../infra/problem.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The addresses of the stores that all tests of this run share; each has a table of its own on one of them. */
    storeEndpoints: readonly string[];
    /** The folder where the processes that tests start keep what they compile. */
    compileCache: string;
  }
}

let stores: readonly EmbeddedStore[] = [];
let compileCache: string | undefined;

/**
 * Starts a store in memory for each worker, or uses the one that `DYNAMODB_ENDPOINT` names. With fewer tables, a store
 * takes less time for each request.
 */
export async function setup(project: TestProject): Promise<void> {
  const { DYNAMODB_ENDPOINT } = process.env;
  if (!DYNAMODB_ENDPOINT) stores = await Promise.all(Array.from({ length: project.config.maxWorkers }, openEmbedded));
  project.provide('storeEndpoints', DYNAMODB_ENDPOINT ? [DYNAMODB_ENDPOINT] : stores.map(({ endpoint }) => endpoint));
  compileCache = await mkdtemp(join(tmpdir(), 'flagstaff-compiled-'));
  project.provide('compileCache', compileCache);
}

/**
 * Opens the embedded store. If there is neither, one sentence says what to do; a stack of the test runner's would hide
 * it.
 */
async function openEmbedded(): Promise<EmbeddedStore> {
  try {
    return await startEmbeddedStore({ file: undefined });
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
