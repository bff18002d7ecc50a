import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { runCommand } from '../infra/commands/command.ts';
import type { ContractOperation } from './contract/operations.ts';
import type { Reply } from './harness/gateway.ts';
import { recordStoreRequests } from './harness/store-requests.ts';
import { World } from './harness/world.ts';
import { openService, openStore } from './prove/service.ts';
import { type Example, exampleOf } from './specifications/example.ts';
import { accessPatternRow, accessPatternsFile, accessPatternsHead } from './specifications/generated/access-pattern.ts';
import { carryOutEvent } from './specifications/generated/carry-out-event.ts';
import { contractFile, contractOperation, isOfContract } from './specifications/generated/contract.ts';
import { eventFile, eventOf, eventText } from './specifications/generated/event.ts';
import {
  examplesFile,
  examplesText,
  type OpenApiExample,
  openApiExample,
} from './specifications/generated/openapi-example.ts';
import {
  missingLines,
  operationRow,
  operationsFile,
  operationsHead,
  pathLines,
  summaryFile,
  summaryLines,
} from './specifications/generated/operations-table.ts';
import { writePart } from './specifications/generated/part.ts';
import { loadSpecifications } from './specifications/load.ts';
import { audienceOf, type NamedSpecification, sdkKindsOf } from './specifications/specification.ts';

const help = `Writes what follows from the specifications of the endpoints (test/functions/*/*.test.ts): the events of test/events, the
examples of the OpenAPI document, the requests of the contract, the tables of operations in functions/README.md and
README.md, and of access patterns in lib/store/README.md.

  npm run generate     (-h, --help: this text)`;

async function generate(): Promise<void> {
  await using _store = await openStore();
  const specifications = await loadSpecifications();
  const patterns: string[] = [];
  const contract: ContractOperation[] = [];
  const examples: Record<string, OpenApiExample> = {};
  for (const specification of specifications) {
    const service = await openService();
    const world = new World(service);
    // A new world for each, so that the names in an event are the same whatever comes before it.
    const example = await exampleOf(specification, world);
    writeFileSync(eventFile(specification.operationId), eventText(eventOf(specification, example)));
    if (isOfContract(specification)) contract.push(contractOperation(specification, example));
    patterns.push(...(await patternOf(specification, world, service.adminToken)));
    examples[specification.operationId] = openApiExample(specification, example, await succeed(service, example));
  }
  removeOtherEvents(specifications);
  writeFileSync(examplesFile, examplesText(examples));
  writeFileSync(contractFile, `${JSON.stringify(contract, null, 2)}\n`);
  writePart(accessPatternsFile, 'access patterns', [...accessPatternsHead, ...patterns]);
  writePart(operationsFile, 'operations', [...operationsHead, ...specifications.map(operationRow)]);
  writePart(operationsFile, 'missing operations', missingLines(specifications));
  writePart(operationsFile, 'operations by path', pathLines(specifications));
  writePart(summaryFile, 'summary of operations', summaryLines(specifications));
  console.log(`Written for ${specifications.length} operations.`);
}

/** The row of an operation, none where it asks the store for nothing, or only for what its process does not know yet. */
async function patternOf(specification: NamedSpecification, world: World, adminToken: string): Promise<string[]> {
  if (sdkKindsOf(specification).length > 0) return [];
  const example = await exampleOf(specification, world);
  // From here on the token is known: on an unknown path, nothing else is.
  await world.service.call('GET', `/api/${audienceOf(specification)}/missing`, { headers: example.headers });
  const requests = await recordStoreRequests(world.service.table, async () => {
    expectSuccess(specification.route, await carryOutEvent(specification, eventOf(specification, example), adminToken));
  });
  return requests.length === 0 ? [] : [accessPatternRow(specification.operationId, requests)];
}

/** @throws Error where the request of an example is refused. */
async function succeed(service: World['service'], { method, target, headers, body }: Example): Promise<Reply> {
  const answer = await service.call(method, target, { headers, ...(body !== undefined && { body }) });
  expectSuccess(`${method} ${target}`, answer);
  return answer;
}

function expectSuccess(request: string, { status, text }: Reply): void {
  if (status >= 400) throw new Error(`${request} was answered ${status}: ${text}`);
}

function removeOtherEvents(specifications: readonly NamedSpecification[]): void {
  const names = specifications.map(({ operationId }) => `${operationId}.json`);
  const folder = new URL('./events/', import.meta.url);
  for (const name of readdirSync(folder)) if (!names.includes(name)) rmSync(new URL(name, folder));
}

await runCommand({ name: 'generate', help, run: generate });
