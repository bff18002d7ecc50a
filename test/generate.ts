import { writeFileSync } from 'node:fs';
import { type CommandLine, runCommand, UsageError } from '../infra/commands/command.ts';
import { writeIcons } from '../infra/console/write-icons.ts';
import { isMutation } from '../lib/http/declaration.ts';
import { version } from '../lib/http/version.ts';
import { recordRelease } from './fixtures/release-store.ts';
import type { Reply } from './harness/gateway.ts';
import { eventsAddedTo } from './harness/items.ts';
import { recordStoreRequests } from './harness/store-requests.ts';
import { World } from './harness/world.ts';
import { openMemoryStore, openService } from './prove/service.ts';
import { type Example, exampleOf } from './specifications/example.ts';
import { accessPatternRow, accessPatternsHead } from './specifications/generated/access-pattern.ts';
import {
  contractFile,
  contractOperation,
  isOfContract,
  readContractOperations,
} from './specifications/generated/contract.ts';
import { carryOutEvent, endpointOf, eventOf } from './specifications/generated/event.ts';
import { eventsHead, eventsRow } from './specifications/generated/events-table.ts';
import { examplesFile, examplesText, openApiExample, readExample } from './specifications/generated/openapi-example.ts';
import {
  operationRow,
  operationsFile,
  operationsHead,
  pathLines,
} from './specifications/generated/operations-table.ts';
import { readPart, writePart } from './specifications/generated/part.ts';
import { loadSpecifications } from './specifications/load.ts';
import { audienceOfCallers, type NamedSpecification, sdkKindsOf } from './specifications/specification.ts';

const help = `Writes what follows from the specifications of the endpoints (test/functions/*/*.test.ts): the examples of the OpenAPI
document, the requests of the contract, the tables of functions/README.md, and the icons of the console.

  npm run generate                               for all operations
  npm run generate -- OPERATION [OPERATION ...]  asks the service for these only
  npm run generate -- --event OPERATION          prints an event of API Gateway, as "sam local invoke" takes it
  npm run generate -- --release                  keeps a store of this version, which every later one has to read
  (-h, --help: this text)`;

const options = { event: { type: 'string' }, release: { type: 'boolean', default: false } } as const;

async function generate({ values, positionals }: CommandLine<typeof options>): Promise<void> {
  await using _store = await openMemoryStore();
  const specifications = await loadSpecifications();
  if (values.release) return await printRelease(specifications);
  const named = values.event === undefined ? positionals : [values.event];
  const unknown = named.filter((name) => !specifications.some(({ operationId }) => operationId === name));
  if (unknown.length > 0) {
    throw new UsageError(`There is no specification of ${unknown.join(', ')}, or functions/index.ts lacks its file.`);
  }
  if (values.event !== undefined) return await printEvent(specifications, values.event);

  const patterns = new Map(readPart(operationsFile, 'access patterns').map((row) => [row.split(' ')[1], row]));
  const events = new Map(readPart(operationsFile, 'events').map((row) => [row.split(' ')[1], row]));
  const contract = new Map(readContractOperations().map((each) => [each.operationId, each]));
  const examples = new Map(specifications.map(({ operationId }) => [operationId, readExample(operationId)]));
  const isAsked = ({ operationId }: NamedSpecification) => named.length === 0 || named.includes(operationId);
  for (const specification of specifications.filter(isAsked)) {
    const { operationId } = specification;
    const service = await openService();
    const world = new World(service);
    // A new world for each, so that its names are the same whatever comes before it.
    const example = await exampleOf(specification, world);
    put(contract, operationId, isOfContract(specification) ? contractOperation(specification, example) : undefined);
    put(patterns, operationId, await patternOf(specification, world, service.adminToken));
    put(examples, operationId, openApiExample(specification, example, await succeed(service, example)));
    // On a store of its own: it is the first change there, too, when the specification is tested.
    put(events, operationId, await eventsOf(specification, new World(await openService())));
  }
  const inOrder = <T>(all: ReadonlyMap<string | undefined, T>) =>
    specifications.flatMap(({ operationId }) => all.get(operationId) ?? []);
  writeFileSync(
    examplesFile,
    examplesText(
      Object.fromEntries(specifications.map(({ operationId }) => [operationId, examples.get(operationId) ?? {}])),
    ),
  );
  writeFileSync(contractFile, `${JSON.stringify(inOrder(contract), null, 2)}\n`);
  writePart(operationsFile, 'access patterns', [...accessPatternsHead, ...inOrder(patterns)]);
  writePart(operationsFile, 'events', [...eventsHead, ...inOrder(events)]);
  writePart(operationsFile, 'operations', [...operationsHead, ...specifications.map(operationRow)]);
  writePart(operationsFile, 'operations by path', pathLines(specifications));
  writeIcons();
  console.log(`Operations written: ${specifications.filter(isAsked).length}.`);
}

function put<K, V>(all: Map<K, V>, key: K, value: V | undefined): void {
  if (value === undefined) all.delete(key);
  else all.set(key, value);
}

async function printEvent(specifications: readonly NamedSpecification[], name: string): Promise<void> {
  for (const specification of specifications.filter(({ operationId }) => operationId === name)) {
    const example = await exampleOf(specification, new World(await openService()));
    console.log(JSON.stringify(eventOf(specification, example), null, 2));
  }
}

async function printRelease(specifications: readonly NamedSpecification[]): Promise<void> {
  const { items, reads } = await recordRelease(version, await openService(), specifications);
  console.log(`Kept ${items} items of release ${version}, and the replies to ${reads} reads.`);
}

/** The row of an operation, none where it asks the store for nothing, or only for what its process does not know yet. */
async function patternOf(
  specification: NamedSpecification,
  world: World,
  adminToken: string,
): Promise<string | undefined> {
  if (sdkKindsOf(specification).length > 0) return undefined;
  const example = await exampleOf(specification, world);
  // From here on the token is known: on an unknown path, nothing else is.
  await world.service.call('GET', `/api/${audienceOfCallers(specification)}/missing`, { headers: example.headers });
  const requests = await recordStoreRequests(world.service.table, async () => {
    expectSuccess(specification.route, await carryOutEvent(specification, eventOf(specification, example), adminToken));
  });
  return requests.length === 0 ? undefined : accessPatternRow(specification.operationId, requests);
}

async function eventsOf(specification: NamedSpecification, world: World): Promise<string | undefined> {
  if (!isMutation(endpointOf(specification.operationId).declaration)) return undefined;
  const example = await exampleOf(specification, world);
  const added = await eventsAddedTo(world.service.table, () => succeed(world.service, example));
  return eventsRow(specification.operationId, added);
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

await runCommand({ name: 'generate', help, options, takesArguments: true, run: generate });
