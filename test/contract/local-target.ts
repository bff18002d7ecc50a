import { openLocalStore, serve } from '../../infra/local/serve.ts';
import { readSettings } from '../../infra/local/settings.ts';
import { makeSecret } from '../../lib/identity/tokens/token.ts';
import { createToken } from '../../lib/identity/tokens/tokens.ts';
import { ensureUser } from '../../lib/people/ensure-user.ts';
import { storeEndpoint } from '../harness/store-endpoint.ts';
import { freshTable } from '../harness/table.ts';
import type { Target } from './target.ts';

/** A service of our own that ends with the tests. */
export type LocalTarget = Target & AsyncDisposable;

/**
 * Serves as `npm start` does, on a free port, with the data of the seed file that the contract asks for; in this process,
 * which has most of the code already.
 */
export async function startLocalTarget(): Promise<LocalTarget> {
  const table = await freshTable();
  const adminToken = makeSecret('admin');
  const settings = readSettings({
    PORT: '0',
    TABLE_NAME: table.store.name,
    LOG_FORMAT: 'json',
    SEED_FILE: 'test/contract/seed.json',
    INIT_ADMIN_API_TOKENS: adminToken,
  });
  await openLocalStore(settings, storeEndpoint());
  const server = await serve(settings);
  const user = await ensureUser(table, { username: 'contract-viewer', rootRole: 'Viewer' });
  const { secret: viewerToken } = await createToken(table, { kind: 'user', user });
  return {
    url: `http://127.0.0.1:${server.port}`,
    host: undefined,
    adminToken,
    viewerToken,
    [Symbol.asyncDispose]: () => server.close(),
  };
}
