import { deepEqual } from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { reportPartitions, signInPartitions, tokenPartitions } from '../../infra/report-partitions.ts';
import type { Request } from '../../lib/request.ts';
import type { Key } from '../../lib/store/client/definition.ts';

const reports = new AsyncLocalStorage<string[]>();

type Named = { readonly Key?: Key; readonly Item?: Key; readonly UpdateExpression?: string };

/** Tells whether a partition matches a pattern of IAM. */
export function isAmong(patterns: readonly string[], pk: string): boolean {
  return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 's').test(pk));
}

/** Looks at what the table is asked for while a report is taken, which the role of its function has to allow. */
export function watchReports({ store: { client } }: Pick<Request, 'store'>): void {
  if (client.middlewareStack.identify().some((each) => each.startsWith('report rights'))) return;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const violations = reports.getStore();
      if (violations !== undefined)
        violations.push(...violationsIn((context.commandName ?? '').replace(/(Items?)?Command$/, ''), args.input));
      return next(args);
    },
    { step: 'initialize', name: 'report rights' },
  );
}

/** Handles a request of an SDK, and fails where the role of its function would not have allowed what it asks the store for. */
export async function withRightsOfReports<T>(handle: () => Promise<T>): Promise<T> {
  const violations: string[] = [];
  const result = await reports.run(violations, handle);
  deepEqual(violations, []);
  return result;
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
