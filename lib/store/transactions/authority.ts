import { type Key, keyText } from '../client/definition.ts';
import type { Attributes } from '../item.ts';
import { keyOfWrite } from './merge-writes.ts';
import { LostRace } from './retry.ts';
import type { Versions } from './versioned.ts';
import type { Condition, RightsCondition, Write } from './write.ts';

/** Returns the condition that an item still has the version that was read. */
export function rightsConditionOf(check: Key, { version }: Versions): RightsCondition {
  return { check, when: { version } };
}

/** Returns the same condition with the current values of the item. */
export function renewCondition(item: Attributes, { check, when }: RightsCondition): RightsCondition {
  if (when === 'present') return { check, when };
  if ('version' in when) return { check, when: { version: item.version as number } };
  return { check, when: { same: Object.fromEntries(Object.keys(when.same).map((name) => [name, item[name]])) } };
}

/** The error of a transaction that has written nothing because the rights of the caller have changed since they were read. */
export class RightsChanged extends LostRace {}

/**
 * Adds conditions to the writes of a transaction. A transaction may name each item only once, so a condition on an item that it
 * writes is merged into that write.
 * @throws RightsChanged if the write and the condition expect different versions of the item.
 */
export function withRightsConditions(writes: readonly Write[], conditions: readonly RightsCondition[]): Write[] {
  const others = new Map(conditions.map((condition) => [keyText(condition.check), condition]));
  const conditional = writes.map((write) => {
    const key = keyText(keyOfWrite(write));
    const condition = others.get(key);
    if (condition === undefined || 'addToAny' in write) return write;
    others.delete(key);
    return withCondition(write, condition.when);
  });
  const otherwise = () => new RightsChanged();
  return [...conditional, ...[...others.values()].map((condition): Write => ({ ...condition, otherwise }))];
}

function withCondition<W extends Exclude<Write, { readonly addToAny: unknown }>>(
  write: W,
  when: RightsCondition['when'],
): W {
  const own: Condition | undefined = write.when;
  const otherwise = () => new RightsChanged();
  if (own === undefined) return { ...write, when, otherwise };
  if (own === 'absent') throw otherwise();
  if (when === 'present') return write;
  if (own === 'present') return { ...write, when, otherwise };
  if ('amount' in own || 'forProject' in own)
    throw new Error('A condition on rights must be one of a version or values.');
  if ('same' in when) return { ...write, when: { ...own, same: { ...own.same, ...when.same } }, otherwise };
  if (!('version' in own)) return { ...write, when: { ...own, ...when } };
  if (own.version !== when.version) throw otherwise();
  return write;
}
