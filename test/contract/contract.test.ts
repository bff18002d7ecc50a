import { afterAll, beforeAll } from 'vitest';
import { checkConcurrency } from './checks/concurrency.ts';
import { checkLife } from './checks/life.ts';
import { checkRepeats } from './checks/repeats.ts';
import { checkRequests } from './checks/requests.ts';
import { checkSdks } from './checks/sdks.ts';
import { checkService } from './checks/service.ts';
import { type Client, createClient } from './client.ts';
import { type LocalTarget, startLocalTarget } from './local-target.ts';
import { targetIn } from './target.ts';

/**
 * Promises of every deployment, seen from outside: the tests know HTTP, an address and tokens. They run on
 * the service that `CONTRACT_URL` names, else on one of its own, and may be run on the same store again and again, as
 * long as `npm run seed -- test/contract/seed.json` comes before each time: it adds what the API cannot make.
 */
let local: LocalTarget | undefined;
let client: Client;

beforeAll(async () => {
  const named = targetIn(process.env);
  if (named === undefined) local = await startLocalTarget();
  client = createClient(named ?? (local as LocalTarget));
  // It is off by default, and then refuses all calls.
  await client.post('/api/admin/remote-mcp/settings', { enabled: true });
});

afterAll(async () => local?.[Symbol.asyncDispose]());

for (const check of [
  checkRequests,
  checkLife,
  checkConcurrency,
  checkRepeats,
  checkSdks,
  // Last: after a HEAD, fetch opens a connection for each request.
  checkService,
]) {
  check(() => client);
}
