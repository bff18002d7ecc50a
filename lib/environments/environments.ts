import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { invalid } from '../errors.ts';
import { assertRoom } from '../limits.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { Write } from '../store/transactions/write.ts';
import { type EnvironmentCounts, environmentCountsOf } from './environment-counts.ts';
import type { ShownEnvironment } from './environment-schema.ts';
import * as environmentKeys from './keys.ts';

/** An environment such as production, in which features are switched on and off. */
export interface Environment extends Omit<ShownEnvironment, 'requiredApprovals'> {
  /** The default number of approvals for projects that get this environment; missing if changes need none. */
  readonly requiredApprovals?: number;
}

/** The most approvals that a change can need; the same as on Unleash. */
const approvalsMax = 10;

/** Returns a number of approvals from 1 to the maximum; 1 for null. */
export function clampApprovals(approvals: number | null = null): number {
  return Math.min(Math.max(approvals ?? 1, 1), approvalsMax);
}

/** The most environments. The item of a project contains an entry for each, and lists have no pages. */
export const environmentsMax = 50;

export const environments = entity<Environment, string>({
  kind: 'environment',
  idOf: ({ name }) => name,
  partition: { pk: 'ENVIRONMENTS', prefix: 'ENVIRONMENT#' },
  codec: codec<Environment>({}),
  max: environmentsMax,
  // Projects copy properties of environments. Such a copy is stored only if this counter is unchanged.
  extraWrites: [{ add: environmentKeys.environmentsRevision(), amounts: { amount: 1 } }],
  events: { created: 'environment-created', updated: 'environment-updated', deleted: 'environment-deleted' },
  eventData: environmentView,
  environmentOf: ({ name }) => name,
});

/** @throws ApiError 400 if the maximum number of environments exists. */
export function requireRoomForEnvironment({ all }: Pick<LoadedEnvironments, 'all'>): void {
  assertRoom(all.length, environmentsMax, 'environments');
}

/** All environments, from one consistent read. */
export interface LoadedEnvironments {
  readonly all: readonly Environment[];
  /** A condition that fails if an environment has changed since the read. */
  readonly unchangedCheck: Write;
}

/** Reads all environments in their order. */
export async function loadEnvironments(request: Request): Promise<LoadedEnvironments> {
  const items = await queryAll<Key & { readonly amount?: number }>(request, environmentKeys.environments());
  const check = environmentKeys.environmentsRevision();
  const amount = items.find(({ sk }) => sk === check.sk)?.amount ?? 0;
  return {
    all: environments.decodeAmong(request, items).toSorted(bySortOrder),
    unchangedCheck: { check, when: { amount } },
  };
}

/** Lists all environments in their order, with their counts, from one consistent read. */
export async function listEnvironments(
  request: Request,
): Promise<(ReturnType<typeof environmentView> & EnvironmentCounts)[]> {
  const items = await queryAll<Key>(request, environmentKeys.environments());
  const shards = items.filter(({ sk }) => sk.startsWith('COUNTS#')) as unknown as Record<string, unknown>[];
  return environments
    .decodeAmong(request, items)
    .toSorted(bySortOrder)
    .map((environment) => ({ ...environmentView(environment), ...environmentCountsOf(environment.name, shards) }));
}

/** Returns an environment as replies show it. */
export function environmentView(environment: Environment) {
  const { name, type, sortOrder, enabled, protected: isProtected, requiredApprovals = 0 } = environment;
  // Stores of release 0.2 may contain a 0.
  return { name, type, sortOrder, enabled, protected: isProtected, requiredApprovals: requiredApprovals || null };
}

/** Returns a new environment, with defaults for omitted fields. */
export function newEnvironment({
  requiredApprovals,
  ...input
}: Pick<Environment, 'name' | 'type' | 'sortOrder'> &
  Partial<Omit<Environment, 'requiredApprovals'>> &
  ApprovalsInput): Environment {
  return { enabled: true, protected: false, ...input, ...approvalsOf(requiredApprovals) };
}

/** The number of approvals in a request. Undefined, null and 0 all mean that changes need none. */
export interface ApprovalsInput {
  readonly requiredApprovals?: number | null | undefined;
}

/** Replaces the number of approvals of an environment. */
export function withApprovals({ requiredApprovals: _before, ...environment }: Environment, approvals: number | null) {
  return { ...environment, ...approvalsOf(approvals) };
}

function approvalsOf(approvals: number | null = null): Pick<Environment, 'requiredApprovals'> {
  return approvals === null || approvals === 0 ? {} : { requiredApprovals: clampApprovals(approvals) };
}

/** Returns the sort order for a new last environment. It stays within the integers that are exact in JSON. */
export function sortOrderAfter(others: readonly Pick<Environment, 'sortOrder'>[]): number {
  const highest = Math.max(0, ...others.map(({ sortOrder }) => sortOrder));
  return Math.min(highest + 1, Number.MAX_SAFE_INTEGER);
}

/** @throws ApiError 400 for a protected environment. */
export function requireUnprotected(environment: Environment): void {
  if (environment.protected) throw invalid(`The environment "${environment.name}" is protected; it cannot be changed.`);
}

/** Compares environments for the order of lists: by sort order, then by name. */
export function bySortOrder(a: Pick<Environment, 'sortOrder' | 'name'>, b: Pick<Environment, 'sortOrder' | 'name'>) {
  return a.sortOrder - b.sortOrder || a.name.localeCompare(b.name);
}
