import { ask } from '../client/ask.ts';
import { updateItem } from '../client/commands.ts';
import type { Key } from '../client/definition.ts';
import type { Work } from '../work.ts';

/** The additions to one item, which is created if it is missing. */
export interface Tally {
  readonly key: Key;
  /** By how much numbers rise. */
  readonly add?: Readonly<Record<string, number>>;
  readonly set?: Readonly<Record<string, string | number>>;
}

/**
 * Writes what is counted or seen, apart from any transaction and without an event, since nothing is decided by it. The store
 * may count a request twice whose answer was lost.
 */
export async function tally(work: Work, { key, add = {}, set = {} }: Tally): Promise<void> {
  const names: Record<string, string> = {};
  const values: Record<string, string | number> = {};
  const placed = (parts: Readonly<Record<string, string | number>>, write: (name: string, value: string) => string) =>
    Object.entries(parts).map(([attribute, value]) => {
      const index = Object.keys(names).length;
      names[`#n${index}`] = attribute;
      values[`:v${index}`] = value;
      return write(`#n${index}`, `:v${index}`);
    });
  const added = placed(add, (name, value) => `${name} ${value}`);
  const assigned = placed(set, (name, value) => `${name} = ${value}`);
  const command = updateItem({
    TableName: work.store.name,
    Key: key,
    UpdateExpression: [
      ...(assigned.length > 0 ? [`SET ${assigned.join(', ')}`] : []),
      ...(added.length > 0 ? [`ADD ${added.join(', ')}`] : []),
    ].join(' '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnConsumedCapacity: 'TOTAL',
  });
  await work.store.limiter(() => ask([work], 'writeUnits', (options) => work.store.client.send(command, options)));
}
