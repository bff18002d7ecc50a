import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { readSeed } from '../../lib/imports/seed/seed-data.ts';
import type { UserRequest } from '../../lib/people/ensure-user.ts';
import type { Request } from '../../lib/request.ts';
import type { Key } from '../../lib/store/client/definition.ts';
import { newTokenOf } from './features.ts';
import { importBody, importPath } from './import-file.ts';
import { interceptRequests } from './intercept.ts';
import { changesBetween, snapshot } from './items.ts';
import type { CallOptions, Reply, Service } from './service.ts';
import { beforeRequests, recordStoreRequests } from './store-requests.ts';

type Json = Readonly<Record<string, unknown>>;

/** The data of an import, as far as a test has something to say. */
export interface FileData {
  readonly features?: readonly Json[];
  readonly featureStrategies?: readonly Json[];
  readonly featureEnvironments?: readonly Json[];
  readonly contextFields?: readonly Json[];
  readonly featureTags?: readonly Json[];
  readonly segments?: readonly Json[];
  readonly tagTypes?: readonly Json[];
  readonly dependencies?: readonly Json[];
  readonly links?: readonly Json[];
}

export interface ImportOptions extends Pick<CallOptions, 'token'> {
  readonly project?: string;
  readonly environment?: string;
}

/** A store in which a file can go wrong in every way: a second project, a field with legal values, segments. */
export const importSeed = readSeed({
  projects: [{ id: 'other', defaultStickiness: 'userId', environments: ['development'] }],
  contextFields: [{ name: 'country', description: 'Where from', legalValues: [{ value: 'CH' }, { value: 'NZ' }] }],
  tagTypes: [{ name: 'team', description: 'Who looks after it', icon: 'T' }],
  segments: [
    { id: 41, name: 'everybody' },
    { id: 42, name: 'here', project: 'default' },
    { id: 43, name: 'there', project: 'other' },
  ],
  users: [{ username: 'alice', name: 'Alice', email: 'alice@example.com', rootRole: 'Editor' }],
});

/** Imports into `development` of the project `default`, unless it is said otherwise. */
export function sendImport(service: Service, data: FileData, { token, ...place }: ImportOptions = {}): Promise<Reply> {
  return service.post(importPath, importBody(data, place), token === undefined ? {} : { token });
}

/** Imports a file that must be taken. */
export async function imported(service: Service, data: FileData, options?: ImportOptions): Promise<void> {
  expect(await sendImport(service, data, options)).toMatchObject({ status: 200, text: '' });
}

/** The environments list, by name. */
export async function readEnvironments(service: Service) {
  const { body } = await service.get('/api/admin/environments');
  return Object.fromEntries(body.environments.map((each: { name: string }) => [each.name, each]));
}

export async function enabledCount(service: Service, environment = 'development'): Promise<number> {
  return (await readEnvironments(service))[environment].enabledToggleCount;
}

/**
 * Expects a call to leave the store as it is, whatever it answers: nothing that it sends may write, except to the
 * counter of event ids, or the store has to refuse it.
 */
export async function writesNothing({ table }: Pick<Service, 'table'>, call: () => Promise<Reply>): Promise<Reply> {
  const written: string[] = [];
  using _ = interceptRequests(table, async ({ operation, input }, next) => {
    const isRead = ['BatchGetItem', 'Query', 'Scan'].includes(operation);
    if (isRead || input.Key?.pk.S === 'COUNTER#event') return next();
    try {
      const answer = await next();
      written.push(`${operation} ${JSON.stringify(input)}`);
      return answer;
    } catch (error) {
      if (!isRefusal(error)) written.push(`${operation}, perhaps: ${error}`);
      throw error;
    }
  });
  const answer = await call();
  expect(written).toEqual([]);
  return answer;
}

/** The same by all that the store holds, for calls whose requests may fail on the way to it or back. */
export async function changesNothing({ table }: Pick<Service, 'table'>, call: () => Promise<Reply>): Promise<Reply> {
  const before = await snapshot(table);
  const answer = await call();
  expect(changesBetween(before, await snapshot(table))).toEqual([]);
  return answer;
}

/** Tells whether the store says that it did not carry out a request. */
function isRefusal(error: unknown): boolean {
  const refusals = ['TransactionCanceledException', 'ConditionalCheckFailedException', 'ValidationException'];
  return error instanceof Error && refusals.includes(error.name);
}

/** Tokens of a Viewer, an Editor, and an Owner and a Member of the project `default`. */
export async function tokensOfRoles(service: Service) {
  const make = (roles: Omit<UserRequest, 'username'>) => newTokenOf(service, { username: randomUUID(), ...roles });
  return {
    viewer: await make({ rootRole: 'Viewer' }),
    editor: await make({ rootRole: 'Editor' }),
    owner: await make({ inProject: { project: 'default', role: 'Owner' } }),
    member: await make({ inProject: { project: 'default', role: 'Member' } }),
  };
}

/** Counts the transactions sent during an action. */
export async function countTransactions(table: Request, during: () => Promise<unknown>): Promise<number> {
  const requests = await recordStoreRequests(table, during);
  return requests.filter(({ command }) => command === 'TransactWrite').length;
}

/** Lets the first `count` transactions pass and no others, as if the process had ended there. */
export async function cutOffAfter<T>(table: Request, count: number, during: () => Promise<T>): Promise<T> {
  let left = count;
  using _ = beforeRequests(table, (input) => {
    if (!('TransactItems' in input)) return;
    left -= 1;
    if (left < 0) throw new Error('The process has ended here.');
  });
  return await during();
}

/** Holds the first request that names an item back until something else has happened. */
export async function interrupted<T>(
  table: Request,
  { pk, sk }: Key,
  meanwhile: () => Promise<unknown>,
  during: () => Promise<T>,
): Promise<T> {
  let isDone = false;
  using _ = beforeRequests(table, async (input, _command, underWay) => {
    const text = JSON.stringify(input);
    if (isDone || !text.includes(JSON.stringify(pk)) || !text.includes(JSON.stringify(sk))) return;
    isDone = true;
    // By then, the requests that were sent with it are answered.
    for (await sleep(5); underWay() > 0; await sleep(1));
    await meanwhile();
  });
  return await during();
}
