import { compileCache } from '../harness/compile-cache.ts';
import { startLocalProcess } from '../harness/local-process.ts';
import { startCommand } from '../infra/commands/run-command.ts';
import type { Target } from './target.ts';

/** A service of our own that ends with the tests. */
export type LocalTarget = Target & AsyncDisposable;

/**
 * Runs the local service, as `npm start` does, on free ports, with the data of the seed file that the
 * contract asks for.
 */
export async function startLocalTarget(): Promise<LocalTarget> {
  const local = await startLocalProcess({
    store: 'memory',
    environment: { SEED_FILE: 'test/contract/seed.json', ...compileCache() },
  });
  const { stdout } = await startCommand('token', ['--user', 'contract-viewer', '--role', 'Viewer'], {
    DYNAMODB_ENDPOINT: '',
    DATA_DIR: local.directory,
    TABLE_NAME: '',
  });
  return {
    url: local.url,
    host: undefined,
    adminToken: local.token,
    viewerToken: stdout.trim(),
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}
