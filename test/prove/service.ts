import { randomUUID } from 'node:crypto';
import { Problem } from '../../infra/problem.ts';
import { makeSecret } from '../../lib/identity/tokens/token.ts';
import { prepareStore } from '../../lib/imports/seed/fresh-store.ts';
import type { Seed } from '../../lib/imports/seed/seed-data.ts';
import { createEnvironmentRequest, type Request } from '../../lib/request.ts';
import { isAwsEndpoint } from '../../lib/store/client/network.ts';
import { createTable } from '../../lib/store/client/tables.ts';
import { startDynamoDbServer } from '../harness/dynamodb-server.ts';
import { type GatewayRequest, invoke, type Reply } from '../harness/gateway.ts';

/** Time limit for proofs of effects, which must not depend on the speed of a busy machine. */
export const unhurriedMs = 10 * 60 * 1_000;

/** The whole service in this process, handlers with their chains, on a table of its own. */
export interface ProvedService {
  readonly table: Request;
  readonly adminToken: string;
  /** Calls as an administrator, unless the headers carry another token. */
  call(method: string, target: string, options?: Pick<GatewayRequest, 'headers' | 'body'>): Promise<Reply>;
}

/**
 * Opens a store for all services of a proof, which goes with the block that uses it: one in memory, or the one that
 * `DYNAMODB_ENDPOINT` names, which keeps the tables of the proof.
 * @throws Problem for a store of Amazon's own, where thousands of requests cost money and tables stay.
 */
export async function openMemoryStore(): Promise<AsyncDisposable> {
  // Proofs make many thousand requests; what the log would say of them nobody reads.
  process.env.LOG_LEVEL = 'SILENT';
  const { DYNAMODB_ENDPOINT } = process.env;
  if (DYNAMODB_ENDPOINT) {
    if (isAwsEndpoint(DYNAMODB_ENDPOINT))
      throw new Problem('DYNAMODB_ENDPOINT must be a store on this machine, not AWS.');
    return { async [Symbol.asyncDispose]() {} };
  }
  const store = await startDynamoDbServer({ file: undefined });
  process.env.DYNAMODB_ENDPOINT = store.endpoint;
  return {
    async [Symbol.asyncDispose]() {
      // The next one would be taken for a store that somebody else has started.
      delete process.env.DYNAMODB_ENDPOINT;
      await store.stop();
    },
  };
}

/**
 * Opens a service on a fresh table of the open store. Handlers find their table by the environment: one service at a
 * time.
 * @param timeoutMs time limit of a request, if not that of the deployed functions.
 */
export async function openService(seed?: Seed, timeoutMs?: number): Promise<ProvedService> {
  process.env.PUBLIC_URL ??= 'http://localhost';
  process.env.TABLE_NAME = `prove-${randomUUID()}`;
  const table = createEnvironmentRequest();
  await createTable(table);
  const adminToken = makeSecret('admin');
  await prepareStore(table, { seed, adminTokens: [adminToken] });
  return {
    table,
    adminToken,
    async call(method, target, { headers, body } = {}) {
      const request = { method, target, headers: { authorization: adminToken, ...headers }, body };
      const { answer } = await invoke(request, timeoutMs);
      return answer;
    },
  };
}
