import { deepEqual } from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { reportPartitions, signInPartitions, tokenPartitions } from '../../infra/report-partitions.ts';
import type { Request } from '../../lib/request.ts';
import { interceptRequests } from './intercept.ts';

const reports = new AsyncLocalStorage<string[]>();

type MarshalledKey = { readonly pk: { readonly S: string } };
type Named = { readonly Key?: MarshalledKey; readonly Item?: MarshalledKey; readonly UpdateExpression?: string };

/** Tells whether a partition matches a pattern of IAM. */
export function isAmong(patterns: readonly string[], pk: string): boolean {
  return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 's').test(pk));
}

/**
 * Handles a request of an SDK, and fails where the role of its function would not have allowed what it asks the table for.
 */
export async function withRightsOfReports<T>(store: Request['store'], handle: () => Promise<T>): Promise<T> {
  const violations: string[] = [];
  using _ = interceptRequests({ store }, ({ operation, input }, next) => {
    if (reports.getStore() === violations) violations.push(...violationsIn(operation, input));
    return next();
  });
  const result = await reports.run(violations, handle);
  deepEqual(violations, []);
  return result;
}

// biome-ignore lint/suspicious/noExplicitAny: requests of all kinds.
function violationsIn(operation: string, input: any): string[] {
  if (operation === 'Query') return readsOf([input.ExpressionAttributeValues[':pk'].S]);
  if (operation === 'BatchGetItem') {
    const asked: { Keys: { pk: { S: string } }[] }[] = Object.values(input.RequestItems);
    return readsOf(asked.flatMap(({ Keys }) => Keys.map(({ pk }) => pk.S)));
  }
  if (operation === 'TransactWriteItems') {
    const items: Record<string, Named>[] = input.TransactItems;
    return items.flatMap((each) => Object.entries(each).flatMap(([action, named]) => writesOf(action, named)));
  }
  return writesOf(operation.replace(/Item$/, ''), input);
}

function readsOf(partitions: readonly string[]): string[] {
  return partitions.filter((pk) => isAmong(signInPartitions, pk)).map((pk) => `read ${pk}`);
}

function writesOf(action: string, { Key, Item, UpdateExpression }: Named): string[] {
  const pk = (Key ?? Item)?.pk.S ?? '';
  if (action === 'ConditionCheck' || isAmong(reportPartitions, pk)) return action === 'Delete' ? [`Delete ${pk}`] : [];
  const isUse = action === 'Update' && UpdateExpression === 'SET #a0 = :a0' && isAmong(tokenPartitions, pk);
  return isUse ? [] : [`${action} ${pk}`];
}
