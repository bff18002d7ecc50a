import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { invalid } from '../errors.ts';
import { assertRoom } from '../limits.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { Write } from '../store/transactions/write.ts';
import { countsOf, type EnvironmentCounts } from './environment-counts.ts';
import type { ShownEnvironment } from './environment-schema.ts';
import * as environmentKeys from './keys.ts';

/** Environment that features are switched on and off in, e.g. production. */
export interface Environment extends Omit<ShownEnvironment, 'requiredApprovals'> {
  /** Number of approvals that changes need there in projects that get it; missing where they need none. */
  readonly requiredApprovals?: number;
}

/** The most approvals that a change can need, as on Unleash. */
const approvalsMax = 10;

/** Returns a number of approvals within its limits; one where none is given. */
export function approvalsWithin(given: number | null = null): number {
  return Math.min(Math.max(given ?? 1, 1), approvalsMax);
}

/** Projects hold what they need of each of theirs, and lists are answered whole. */
export const environmentsMax = 50;

export const environments = entity<Environment, string>({
  kind: 'environment',
  idOf: ({ name }) => name,
  partition: { pk: 'ENVIRONMENTS', prefix: 'ENVIRONMENT#' },
  codec: codec<Environment>({}),
  max: environmentsMax,
  // What projects copy of environments is checked against this.
  besides: [{ add: environmentKeys.environmentsRevision(), amounts: { amount: 1 } }],
  events: { created: 'environment-created', updated: 'environment-updated', deleted: 'environment-deleted' },
  shown: environmentView,
  environmentOf: ({ name }) => name,
});

/** @throws ApiError 400 where there are as many environments as there may be. */
export function assertRoomForEnvironment({ all }: Pick<EnvironmentsNow, 'all'>): void {
  assertRoom(all.length, environmentsMax, 'environments');
}

/** Environments as they were at a moment, and the condition under which they still are. */
export interface EnvironmentsNow {
  readonly all: readonly Environment[];
  readonly unchanged: Write;
}

/** Reads all environments in their order, from one consistent read. */
export async function loadEnvironments(request: Request): Promise<EnvironmentsNow> {
  const items = await queryAll<Key & { readonly amount?: number }>(request, environmentKeys.environments());
  const check = environmentKeys.environmentsRevision();
  const amount = items.find(({ sk }) => sk === check.sk)?.amount ?? 0;
  return { all: environments.among(request, items).toSorted(bySortOrder), unchanged: { check, when: { amount } } };
}

/** Lists all environments with their counts, in their order, from one consistent read. */
export async function listEnvironments(
  request: Request,
): Promise<(ReturnType<typeof environmentView> & EnvironmentCounts)[]> {
  const items = await queryAll<Key>(request, environmentKeys.environments());
  const shards = items.filter(({ sk }) => sk.startsWith('COUNTS#')) as unknown as Record<string, unknown>[];
  return environments
    .among(request, items)
    .toSorted(bySortOrder)
    .map((environment) => ({ ...environmentView(environment), ...countsOf(environment.name, shards) }));
}

/** Returns an environment as replies show it. */
export function environmentView(environment: Environment) {
  const { name, type, sortOrder, enabled, protected: isProtected, requiredApprovals = 0 } = environment;
  // Stores of release 0.2 may hold a 0.
  return { name, type, sortOrder, enabled, protected: isProtected, requiredApprovals: requiredApprovals || null };
}

/** Returns a new environment, with defaults for the fields that are not given. */
export function newEnvironment({
  requiredApprovals,
  ...given
}: Pick<Environment, 'name' | 'type' | 'sortOrder'> &
  Partial<Omit<Environment, 'requiredApprovals'>> &
  GivenApprovals): Environment {
  return { enabled: true, protected: false, ...given, ...approvalsFrom(requiredApprovals) };
}

/** Number of approvals as it is given: none and 0 say that changes need none. */
export interface GivenApprovals {
  readonly requiredApprovals?: number | null | undefined;
}

/** Returns an environment with another number of approvals. */
export function withApprovals({ requiredApprovals: _before, ...environment }: Environment, given: number | null) {
  return { ...environment, ...approvalsFrom(given) };
}

function approvalsFrom(given: number | null = null): Pick<Environment, 'requiredApprovals'> {
  return given === null || given === 0 ? {} : { requiredApprovals: approvalsWithin(given) };
}

/** Returns the place after all others, or that of the last one where no higher number is exact in JSON. */
export function lastPlace(others: readonly Pick<Environment, 'sortOrder'>[]): number {
  const highest = Math.max(0, ...others.map(({ sortOrder }) => sortOrder));
  return Math.min(highest + 1, Number.MAX_SAFE_INTEGER);
}

/** @throws ApiError 400 for an environment that comes with the service and stays as it is. */
export function requireUnprotected(environment: Environment): void {
  if (environment.protected) throw invalid(`The environment "${environment.name}" is protected; it cannot be changed.`);
}

/** The order of lists of environments. */
export function bySortOrder(a: Pick<Environment, 'sortOrder' | 'name'>, b: Pick<Environment, 'sortOrder' | 'name'>) {
  return a.sortOrder - b.sortOrder || a.name.localeCompare(b.name);
}
