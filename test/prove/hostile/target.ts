import { readFileSync } from 'node:fs';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { readSeed } from '../../../lib/seed/seed-data.ts';
import { addAdminTokens } from '../../../lib/users/tokens.ts';
import { openService, type Service } from '../service.ts';
import { deliver } from './deliver.ts';
import { type Operation, operations } from './operations.ts';
import { brokenPromises } from './promises.ts';
import { alteredRequest, describeRequest } from './request.ts';
import { type StoreWatch, watchStore } from './store-watch.ts';

/** A service that every example succeeds on, watched. */
export interface Target {
  readonly service: Service;
  readonly storeWatch: StoreWatch;
  /** All tokens that open it. */
  readonly tokens: readonly string[];
}

/** An addon that no attack names, for the request at the end that has to succeed. */
const spareAddon = 987_654_321;

const seedFile = new URL('../../fixtures/seed.json', import.meta.url);

/** A service on a fresh table, with the seed of the tests and what the examples are about. */
export async function openTarget(): Promise<Target> {
  const seed = JSON.parse(readFileSync(seedFile, 'utf8'));
  const spare = { ...seed.addons[0], id: spareAddon };
  const service = await openService(readSeed({ ...seed, addons: [...seed.addons, spare] }));
  await addAdminTokens(service.table, [insecureLocalToken]);
  const target = { service, storeWatch: watchStore(service.table), tokens: [service.adminToken, insecureLocalToken] };
  await deliver(alteredRequest(operationNamed('setSamlSettings'), 'something to read', {}));
  await restore();
  return target;
}

function operationNamed(operationId: string): Operation {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`The registry has no ${operationId}, which this proof needs.`);
  return found;
}

/** Makes the features of the examples again what they are about: alive, and with little on them. */
export async function restore(): Promise<void> {
  const update = operationNamed('updateFeature');
  for (const name of ['checkout', 'basket']) {
    const target = update.target.replace('checkout', name);
    await deliver(alteredRequest(update, 'revive', { target, body: '{"archived":false}' }));
  }
  await deliver(alteredRequest(operationNamed('importToggles'), 'import again', {}));
}

/** Later ones ask for what earlier ones bring about. */
const first = ['importToggles', 'setSamlSettings'];

/** What is wrong with a service that was attacked: every example has to succeed as it did before. */
export async function unhealthy(tokens: readonly string[]): Promise<string[]> {
  await restore();
  const inOrder = [
    ...first.map(operationNamed),
    ...operations.filter(({ operationId }) => !first.includes(operationId)),
  ];
  const problems: string[] = [];
  for (const operation of inOrder) {
    const target = operation.target.replace(/addons\/1$/, `addons/${spareAddon}`);
    const request = alteredRequest(operation, 'a healthy request', { target });
    const delivered = await deliver(request);
    const isDone = delivered.status < 300 || delivered.status === 409;
    const broken = [
      ...(isDone ? [] : [`A healthy request was answered with ${delivered.status}: ${delivered.text.slice(0, 300)}`]),
      ...brokenPromises(delivered, '', tokens),
    ];
    problems.push(...broken.map((promise) => `${promise}\n${describeRequest(request)}`));
  }
  return problems;
}
