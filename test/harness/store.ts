import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedStore, startEmbeddedStore } from '../../infra/local/embedded-store.ts';

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
  const { DYNAMODB_ENDPOINT } = process.env;
  if (DYNAMODB_ENDPOINT === undefined) store = await startEmbeddedStore({ file: undefined });
  project.provide('storeEndpoint', DYNAMODB_ENDPOINT ?? store?.endpoint ?? '');
  compileCache = await mkdtemp(join(tmpdir(), 'flagstaff-compiled-'));
  project.provide('compileCache', compileCache);
}

export async function teardown(): Promise<void> {
  await store?.stop();
  if (compileCache !== undefined) await rm(compileCache, { recursive: true, force: true });
}
