import { deepEqual } from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { InitializeMiddleware } from '@smithy/types';
import { reportPartitions, signInPartitions, tokenPartitions } from '../../infra/report-partitions.ts';
import type { Request } from '../../lib/request.ts';
import type { Key } from '../../lib/store/client/definition.ts';

const reports = new AsyncLocalStorage<string[]>();

type Named = { readonly Key?: Key; readonly Item?: Key; readonly UpdateExpression?: string };

/** Tells whether a partition matches a pattern of IAM. */
export function isAmong(patterns: readonly string[], pk: string): boolean {
  return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 's').test(pk));
}

/**
 * Handles a request of an SDK, and fails where the role of its function would not have allowed what it asks the table for.
 */
export async function withRightsOfReports<T>({ client }: Request['store'], handle: () => Promise<T>): Promise<T> {
  const violations: string[] = [];
  const watch: InitializeMiddleware<object, object> = (next, context) => async (args) => {
    if (reports.getStore() === violations)
      violations.push(...violationsIn((context.commandName ?? '').replace(/(Items?)?Command$/, ''), args.input));
    return next(args);
  };
  client.middlewareStack.add(watch as never, { step: 'initialize' });
  try {
    const result = await reports.run(violations, handle);
    deepEqual(violations, []);
    return result;
  } finally {
    client.middlewareStack.remove(watch as never);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: requests of all kinds.
function violationsIn(command: string, input: any): string[] {
  if (command === 'Query') return readsOf([input.ExpressionAttributeValues[':pk']]);
  if (command === 'BatchGet') {
    const asked: { Keys: Key[] }[] = Object.values(input.RequestItems);
    return readsOf(asked.flatMap(({ Keys }) => Keys.map(({ pk }) => pk)));
  }
  if (command === 'TransactWrite') {
    const items: Record<string, Named>[] = input.TransactItems;
    return items.flatMap((each) => Object.entries(each).flatMap(([action, named]) => writesOf(action, named)));
  }
  return writesOf(command, input);
}

function readsOf(partitions: readonly string[]): string[] {
  return partitions.filter((pk) => isAmong(signInPartitions, pk)).map((pk) => `read ${pk}`);
}

function writesOf(action: string, { Key, Item, UpdateExpression }: Named): string[] {
  const pk = (Key ?? Item)?.pk ?? '';
  if (action === 'ConditionCheck' || isAmong(reportPartitions, pk)) return action === 'Delete' ? [`Delete ${pk}`] : [];
  const isUse = action === 'Update' && UpdateExpression === 'SET #a0 = :a0' && isAmong(tokenPartitions, pk);
  return isUse ? [] : [`${action} ${pk}`];
}
