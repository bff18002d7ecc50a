import { randomUUID } from 'node:crypto';
import type { Table } from '../../../lib/table/table.ts';
import { createToken } from '../../../lib/users/tokens.ts';
import { type Callable, importOf, make, type TypicalCall, typicalCalls } from '../../harness/typical-calls.ts';
import { type Cost, costOf } from './measure.ts';

/** A service that can be called, and the table that shows what it cost. */
export interface Measurable extends Callable {
  readonly table: Table;
}

/** What one scenario cost. */
export interface Row {
  readonly scenario: string;
  /** The operation it is about. */
  readonly operation: string;
  /** How many features it is about. */
  readonly size: number;
  /** Whether something is asked first: who the caller is, or whether the request was carried out before. */
  readonly isAskedFirst: boolean;
  readonly cost: Cost;
}

const importTarget = '/api/admin/features-batch/import';
const offTarget = '/api/admin/projects/default/bulk_features/environments/development/off';

/** Each operation once, by a caller whose token is known. */
export async function typicalRows(service: Measurable): Promise<Row[]> {
  await warmUp(service);
  const rows: Row[] = [];
  for (const call of typicalCalls) rows.push(await measured(service, call.operation, call));
  return rows;
}

/** A read by a caller whose token the process has not seen yet, and an update with an idempotency key. */
export async function askedFirstRows(service: Measurable): Promise<Row[]> {
  const { secret } = await createToken(service.table, { kind: 'admin', name: 'new' });
  const list = { operation: 'getAllEnvironments', method: 'GET', target: '/api/admin/environments' };
  const update = {
    operation: 'updateFeature',
    method: 'PUT',
    target: '/api/admin/projects/default/features/checkout',
    body: { description: randomUUID() },
  };
  return [
    await measured(service, 'a read with a new token', list, { headers: { authorization: secret } }),
    await measured(service, 'an update with an idempotency key', update, {
      headers: { 'idempotency-key': randomUUID() },
    }),
  ];
}

/** An import of new features, which are on, and their bulk off. */
export async function bulkRows(service: Measurable, sizes: readonly number[]): Promise<Row[]> {
  await warmUp(service);
  const rows: Row[] = [];
  for (const size of sizes) {
    const names = Array.from({ length: size }, (_, index) => `bulk-${size}-${index}`);
    const imported = { operation: 'importToggles', method: 'POST', target: importTarget, body: importOf(names) };
    const off = {
      operation: 'bulkToggleFeaturesEnvironmentOff',
      method: 'POST',
      target: offTarget,
      body: { features: names },
    };
    for (const call of [imported, off]) {
      rows.push(await measured(service, `${call.operation} of ${size}`, call, { size }));
    }
  }
  return rows;
}

async function warmUp(service: Measurable): Promise<void> {
  await make(service, { method: 'GET', target: '/api/admin/environments' });
}

async function measured(
  service: Measurable,
  scenario: string,
  { operation, ...call }: TypicalCall,
  { size = 1, headers }: { readonly size?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Row> {
  const cost = await costOf(service.table, () => make(service, call, headers));
  return { scenario, operation, size, isAskedFirst: headers !== undefined, cost };
}
