import { tableDefinition } from '../../../../lib/store/client/definition.ts';
import type { Choice } from './choice.ts';

/** A value in the form of the store's protocol; the table has texts, numbers, truths and nothing. */
type WireValue = { readonly S: string } | { readonly N: string } | { readonly BOOL: boolean } | { readonly NULL: true };
export type WireValues = Readonly<Record<string, WireValue>>;

export const TableName = 'agreement';
/** Few, so that requests meet each other's items. Among them is text of all lengths in UTF-8, in another order than in UTF-16. */
export const partitions = ['a', 'b', 'ä'];
const sortKeys = ['1', '10', '2', 'x', 'X', 'x#', 'x#1', 'x#2', 'x\0', 'é', 'z\u{10400}', 'z\uffee', '~'];
/** Beginnings of sort keys, and texts before, between and behind them. */
export const sortBounds = [...sortKeys, '', 'z', '\ud7ff', '\u{10ffff}', 'x#\u{10ffff}'];
export const texts = ['', 'short', 'Short', 'a\0b', 'long '.repeat(300), 'ü\u{1f600}'.repeat(100)];
/** Numbers in all forms, up to the limits of size and of digits. */
export const numbers = [
  ...['0', '1', '-1', '7', '1000000', '0.1', '0.2', '-2.5', '1e21', '123456789012345678', '-0', '1.50', '1e-7'],
  ...['9.9e125', '-1e-130', '12345678901234567890123456789012345678', '0.00000000000000000000000000000000000001'],
];
export const indexTimes = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05'];

export const keyOf = (choice: Choice) => ({ pk: { S: choice.of(partitions) }, sk: { S: choice.of(sortKeys) } });

export function itemOf(choice: Choice): WireValues {
  const { eventLog } = tableDefinition;
  return {
    ...keyOf(choice),
    ...choice.maybe(0.7, () => ({ version: { N: choice.of(numbers) } })),
    ...choice.maybe(0.5, () => ({ amount: { N: choice.of(numbers) } })),
    ...choice.maybe(0.5, () => ({ text: { S: choice.of(texts) } })),
    ...choice.maybe(0.3, () => ({ about: { S: choice.of(texts) } })),
    ...choice.maybe(0.3, () => ({ is: { BOOL: choice.isLikely(0.5) } })),
    ...choice.maybe(0.2, () => ({ none: { NULL: true as const } })),
    ...choice.maybe(0.3, () => ({ [eventLog.partitionKey]: { S: choice.of(['EVENTS', 'OTHER']) } })),
    ...choice.maybe(0.4, () => ({ [eventLog.sortKey]: { S: choice.of(indexTimes) } })),
  };
}
