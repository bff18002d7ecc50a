import { randomUUID } from 'node:crypto';
import { createToken } from '../../../lib/identity/tokens/tokens.ts';
import { importOf, importPath } from '../../harness/import-file.ts';
import type { World } from '../../harness/world.ts';
import { exampleOf } from '../../specifications/example.ts';
import { type NamedSpecification, sdkKindsOf } from '../../specifications/specification.ts';
import { type Cost, costOf } from './measure.ts';

/** Cost of one scenario. */
export interface Row {
  readonly scenario: string;
  /** The operation it is about. */
  readonly operation: string;
  /** Number of features that it is about. */
  readonly size: number;
  /** Number of stages in which it writes, one after the other; one by default. */
  readonly stages?: number | undefined;
  /** True if something is asked first: who the caller is, or whether the request was carried out before. */
  readonly isAskedFirst: boolean;
  /** Number of waits that its specification allows, if not that of the budget. */
  readonly waits?: number | undefined;
  readonly cost: Cost;
}

interface Call {
  readonly operation: string;
  readonly method: string;
  readonly target: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The rows of one specification: that of its first request, and those of the others. */
export interface SpecifiedRows {
  readonly typical: readonly Row[];
  readonly others: readonly Row[];
}

/** Measures the requests of a specification, by a caller whose token is known. */
export async function specifiedRows(world: World, specification: NamedSpecification): Promise<SpecifiedRows> {
  // Polls of SDKs are answered from memory; they cost by the second and the minute, not by the request.
  if (sdkKindsOf(specification).length > 0) return { typical: [], others: [] };
  const { operationId, waits: usualWaits, others = {} } = specification;
  const rowOf = async (title?: string) => {
    const example = await exampleOf(specification, world, title);
    const scenario = title === undefined ? operationId : `${operationId}: ${title}`;
    const { size, stages, waits = usualWaits } = example.specified;
    return measured(world, scenario, { operation: operationId, ...example }, { size, stages, waits });
  };
  const typical = [await rowOf()];
  const further: Row[] = [];
  for (const title of Object.keys(others)) further.push(await rowOf(title));
  // A request that does not read the store costs nothing there.
  const paid = (rows: readonly Row[]) => rows.filter(({ cost }) => cost.requests > 0);
  return { typical: paid(typical), others: paid(further) };
}

/** Measures a read by a caller whose token the process has not seen yet, and an update with an idempotency key. */
export async function askedFirstRows(world: World): Promise<Row[]> {
  const { secret } = await createToken(world.service.table, { kind: 'admin', name: 'new' });
  const { place } = await world.feature();
  const list = { operation: 'getAllEnvironments', method: 'GET', target: '/api/admin/environments' };
  const update = {
    operation: 'updateFeature',
    method: 'PUT',
    target: `/api/admin/projects/${place.projectId}/features/${place.featureName}`,
    body: { description: randomUUID() },
  };
  const first = { isAskedFirst: true };
  return [
    await measured(world, 'a read with a new token', { ...list, headers: { authorization: secret } }, first),
    await measured(
      world,
      'an update with an idempotency key',
      { ...update, headers: { 'idempotency-key': randomUUID() } },
      first,
    ),
  ];
}

/** Measures an import of new features, which are on, and their bulk off. */
export async function bulkRows(world: World, sizes: readonly number[]): Promise<Row[]> {
  const { projectId, environment } = world.home;
  const rows: Row[] = [];
  for (const size of sizes) {
    const names = Array.from({ length: size }, () => world.name('feature'));
    const imported = {
      operation: 'importToggles',
      method: 'POST',
      target: importPath,
      body: importOf(names.map((name) => ({ name, enabled: true, strategies: [{ name: 'flexibleRollout' }] }))),
    };
    const off = {
      operation: 'bulkToggleFeaturesEnvironmentOff',
      method: 'POST',
      target: `/api/admin/projects/${projectId}/bulk_features/environments/${environment}/off`,
      body: { features: names },
    };
    rows.push(await measured(world, `${imported.operation} of ${size}`, imported, { size }));
    // In a long list it reads 100 features, then each time three times as many as before.
    const looks = 1 + Math.ceil(Math.log(Math.max(size, 100) / 100) / Math.log(4));
    rows.push(await measured(world, `${off.operation} of ${size}`, off, { size, waits: looks + 1 }));
  }
  return rows;
}

/** Measures a directory that adds one member to a group with others. */
export async function memberRows(world: World, size: number): Promise<Row[]> {
  const headers = await world.directory();
  const create = async (path: string, body: object) =>
    ((await world.ask('POST', `/scim${path}`, body, headers)).body as { id: string }).id;
  const members: { readonly value: string }[] = [];
  for (let index = 0; index <= size; index += 1)
    members.push({ value: await create('/Users', { userName: `${world.name('person')}@example.com` }) });
  const id = await create('/Groups', { displayName: world.name('group'), members: members.slice(1) });
  // The process has looked up the directory just now.
  await world.ask('GET', '/scim/ServiceProviderConfig', undefined, headers);
  const added = {
    operation: 'patchScimGroup',
    method: 'PATCH',
    target: `/scim/Groups/${id}`,
    body: { Operations: [{ op: 'add', path: 'members', value: members.slice(0, 1) }] },
    headers,
  };
  return [await measured(world, `patchScimGroup: one member of a group of ${size}`, added, { waits: 4 })];
}

/**
 * Returns the headers of a caller who was looked up just now, unless they name another: a known token is trusted for a
 * few seconds only, which a busy machine may take for the rows before.
 */
async function knownCaller(world: World): Promise<Readonly<Record<string, string>>> {
  const { secret: authorization } = await createToken(world.service.table, { kind: 'admin', name: 'known' });
  await world.ask('GET', '/api/admin/environments', undefined, { authorization });
  return { authorization };
}

/** Figures that the budget of a row depends on. */
type RowBounds = { readonly [Name in 'size' | 'stages' | 'isAskedFirst' | 'waits']?: Row[Name] | undefined };

async function measured(
  world: World,
  scenario: string,
  { operation, method, target, body, headers = {} }: Call,
  { size = 1, stages, isAskedFirst = false, waits }: RowBounds,
): Promise<Row> {
  const allHeaders = { ...(await knownCaller(world)), ...headers };
  const cost = await costOf(world.service.table, () => world.ask(method, target, body, allHeaders));
  return { scenario, operation, size, stages, isAskedFirst, waits, cost };
}
