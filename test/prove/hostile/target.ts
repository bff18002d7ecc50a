import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { statusOf } from '../../../lib/http/declaration.ts';
import { addInitTokens } from '../../../lib/tokens/init-tokens.ts';
import { World } from '../../harness/world.ts';
import { exampleOf } from '../../specifications/example.ts';
import { eventOf } from '../../specifications/generated/event.ts';
import { openService, type ProvedService } from '../service.ts';
import { deliver } from './deliver.ts';
import { type ReadyOperation, type SpecifiedOperation, specifiedOperations } from './operations.ts';
import { brokenPromises } from './promises.ts';
import { alteredRequest, describeRequest } from './request.ts';
import { type StoreWatch, watchStore } from './store-watch.ts';

/** A service that every example succeeds on, watched. */
export interface HostileTarget {
  readonly service: ProvedService;
  readonly storeWatch: StoreWatch;
  /** All tokens that open it. */
  readonly tokens: readonly string[];
  /** Makes the things that an operation needs, and returns a request that succeeds. */
  exampleOf(operation: SpecifiedOperation): Promise<ReadyOperation>;
  /** Removes its table. */
  close(): Promise<void>;
}

/** Opens a service on a fresh table, in which a world creates the subjects of the examples. */
export async function openTarget(): Promise<HostileTarget> {
  const service = await openService();
  await addInitTokens(service.table, { adminTokens: [insecureLocalToken] });
  const world = new World(service);
  return {
    service,
    storeWatch: watchStore(service.table),
    tokens: [service.adminToken, insecureLocalToken],
    async exampleOf(operation) {
      const example = await exampleOf(operation.specification, world);
      const { method, target } = example;
      const { headers, body } = eventOf(operation.specification, example);
      return { ...operation, method, target, headers: headers as Record<string, string>, body };
    },
    async close() {
      await service.table.store.client.send('DeleteTable', { TableName: service.table.store.name });
    },
  };
}

/** Lists the faults of a service after an attack: an example of each operation has to succeed as it did before. */
export async function unhealthy(
  target: HostileTarget,
  examined: readonly SpecifiedOperation[] = specifiedOperations,
): Promise<string[]> {
  const problems: string[] = [];
  for (const operation of examined) {
    const ask = async () => {
      const request = alteredRequest(await target.exampleOf(operation), 'a healthy request', {});
      return { request, delivered: await deliver(request) };
    };
    const first = await ask();
    // A generated request may have taken the name by chance.
    const { request, delivered } = first.delivered.status === 409 ? await ask() : first;
    const isDone = delivered.status === statusOf(operation.endpoint.declaration);
    const broken = [
      ...(isDone ? [] : [`A healthy request was answered with ${delivered.status}: ${delivered.text.slice(0, 300)}`]),
      ...brokenPromises(delivered, '', target.tokens),
    ];
    problems.push(...broken.map((promise) => `${promise}\n${describeRequest(request)}`));
  }
  return problems;
}

/**
 * Lists the promises that an operation breaks in its answer to an unforeseen failure: here, its table is gone. The
 * failure breaks no promise; only the answer may.
 */
export async function brokenByCrash(operation: ReadyOperation, tokens: readonly string[]): Promise<string[]> {
  const { TABLE_NAME } = process.env;
  process.env.TABLE_NAME = 'prove-00000000-gone';
  try {
    const request = alteredRequest(operation, 'the table is gone', {});
    const delivered = await deliver(request);
    return brokenPromises(delivered, '', tokens)
      .filter((promise) => promise !== 'It was answered with 500.')
      .map((promise) => `${promise}\n${describeRequest(request)}`);
  } finally {
    process.env.TABLE_NAME = TABLE_NAME;
  }
}
