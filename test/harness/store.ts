import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedStore, startEmbeddedStore } from '../../infra/local/embedded-store.ts';
import { Problem } from '../../infra/problem.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the store that all tests of this run share; each has a table of its own on it. */
    storeEndpoint: string;
    /** The folder where the processes that tests start keep what they compile. */
    compileCache: string;
  }
}

let store: EmbeddedStore | undefined;
let compileCache: string | undefined;

/** Starts one store in memory for all test files, or uses the one that `DYNAMODB_ENDPOINT` names. */
export async function setup(project: TestProject): Promise<void> {
  store = await openEmbedded();
  project.provide('storeEndpoint', process.env.DYNAMODB_ENDPOINT || (store?.endpoint ?? ''));
  compileCache = await mkdtemp(join(tmpdir(), 'flagstaff-compiled-'));
  project.provide('compileCache', compileCache);
}

/** Where there is neither, one sentence says what to do; a stack of the test runner's would hide it. */
async function openEmbedded(): Promise<EmbeddedStore | undefined> {
  if (process.env.DYNAMODB_ENDPOINT) return undefined;
  try {
    return await startEmbeddedStore({ file: undefined });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

export async function teardown(): Promise<void> {
  await store?.stop();
  if (compileCache !== undefined) await rm(compileCache, { recursive: true, force: true, maxRetries: 10 });
}
