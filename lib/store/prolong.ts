import { changeItem } from './change-item.ts';
import type { Key } from './client/definition.ts';
import type { Work } from './work.ts';

/** Moves the end of an item, apart from any transaction. One that has no end, or is gone, is left alone. */
export async function prolong(work: Work, key: Key, expiresAtSeconds: number): Promise<void> {
  const hasEnd = { ConditionExpression: 'attribute_exists(expiresAtSeconds)' };
  await changeItem(work, key, { set: { expiresAtSeconds } }, hasEnd);
}
