import { buildCreateTableInput } from '../../../../lib/store/client/tables.ts';
import type { Choice } from './choice.ts';
import { atLimits } from './limits.ts';
import { mistakes } from './mistakes.ts';
import { anyReadOf } from './reads.ts';
import { TableName } from './values.ts';
import { batchWriteOf, singleWriteOf, transactionOf } from './writes.ts';

/** A request of the store's protocol: an operation, and its input. */
export type StoreRequest = readonly [operation: string, input: Readonly<Record<string, unknown>>];

/** The request that creates the table of all others. */
export const creation: StoreRequest = [
  'CreateTable',
  buildCreateTableInput(TableName) as unknown as Record<string, unknown>,
];

/**
 * Requests for one of the table's few items, so that conditions often meet something. Transactions come again with
 * their tokens, and tokens with other transactions.
 */
export function requestSequence(choice: Choice): readonly StoreRequest[] {
  const known: StoreRequest[] = [];
  let tokens = 0;
  const transaction = () => {
    const isRepeated = known.length > 0 && choice.isLikely(0.3);
    if (isRepeated && choice.isLikely(0.8)) return choice.of(known);
    if (!isRepeated) tokens += 1;
    const made = transactionOf(choice, choice.isLikely(0.5) ? `token-${tokens}` : undefined);
    if ('ClientRequestToken' in made[1]) known.push(made);
    return made;
  };
  return choice
    .times(20, () => {
      if (choice.isLikely(0.001)) return choice.of(atLimits)(choice);
      if (choice.isLikely(0.05)) return [choice.of(mistakes)(choice)];
      return [choice.of([transaction, transaction, singleWriteOf, batchWriteOf, anyReadOf, anyReadOf])(choice)];
    })
    .flat();
}
