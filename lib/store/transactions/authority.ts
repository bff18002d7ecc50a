import { type Key, keyText } from '../client/definition.ts';
import type { Attributes } from '../item.ts';
import { keyOfWrite } from './merge-writes.ts';
import { LostRace } from './retry.ts';
import type { Versions } from './versioned.ts';
import type { Condition, Write } from './write.ts';

/** The condition that an item of the store is what it was when rights were derived from it. */
export interface Standing {
  readonly check: Key;
  readonly when: 'present' | { readonly version: number } | { readonly same: Attributes };
}

/** The condition that an item still has the version in which it was read. */
export function standingOf(check: Key, { version }: Versions): Standing {
  return { check, when: { version } };
}

/** The same condition for an item as it is now. */
export function standingNow(item: Attributes, { check, when }: Standing): Standing {
  if (when === 'present') return { check, when };
  if ('version' in when) return { check, when: { version: item.version as number } };
  return { check, when: { same: Object.fromEntries(Object.keys(when.same).map((name) => [name, item[name]])) } };
}

/** The same condition for an item after a write; none where that has removed it. */
export function standingAfter(write: Write, standing: Standing): Standing | undefined {
  if ('remove' in write) return undefined;
  if ('put' in write) return standingNow(write.item, standing);
  const { check, when } = standing;
  if (when === 'present' || !('version' in when && 'add' in write)) return standing;
  return { check, when: { version: when.version + (write.amounts.version ?? 0) } };
}

/**
 * The rights by which a request changes who may do what. They are read once and trusted for some seconds, so a transaction
 * that gives or takes rights carries them as conditions: it is carried out only while its caller has them.
 */
export interface Authority {
  /** The fewest conditions under which the caller still has every right that this request has relied on. */
  standing(): readonly Standing[];
  /**
   * Reads the rights again, where a condition has failed.
   * @throws ApiError 401 or 403 where the caller has lost one that this request has relied on.
   */
  renew(): Promise<void>;
  /** Takes note of what this request itself has written: what it takes from its caller says nothing against the rest of it. */
  changed(writes: readonly Write[]): void;
}

/** The rights of the caller have changed since they were read; nothing was written. */
export class RightsChanged extends LostRace {}

/**
 * Partitions that say nothing of who may do what, nor, as integrations do, of who is told what happens, by the part of
 * their name before the first "#". A partition that is not named here counts as one that does, so that a new one is guarded
 * until somebody decides otherwise.
 */
const ordinaryPartitions: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...[
    'FEATURE',
    'PROJECT',
    'PROJECTS',
    'ENVIRONMENTS',
    'SEGMENTS',
    'STRATEGY_TYPES',
    'CONTEXT_FIELDS',
    'FEATURE_TYPES',
  ],
  ...['TAG_TYPES', 'TAGS', 'TAGS_MADE', 'REFERRERS', 'FAVORITES', 'UI_STATE'],
  ...['USAGE', 'SEEN', 'CUSTOM_METRICS', 'UNKNOWN_FLAGS', 'APPLICATIONS', 'APPLICATION_FEATURES', 'APPLICATION'],
  ...[
    'PROJECT_APPLICATIONS',
    'SDKS',
    'EVENTS',
    'COUNTER',
    'REQUEST',
    'REMOVAL',
    'NONCES',
    'ATTEMPTS',
    'SIGN_INS',
    'MAILS',
    'ALARMS',
  ],
]);

/** Tells a write that may change who may do what. */
export function governs(write: Write): boolean {
  const { pk } = keyOfWrite(write);
  const end = pk.indexOf('#');
  return !('check' in write) && !ordinaryPartitions.has(end === -1 ? pk : pk.slice(0, end));
}

/**
 * The writes of a transaction under further conditions. Since a transaction names each item once, the condition on an item
 * that the transaction itself writes becomes one of that write.
 * @throws RightsChanged where a write rests on another version of such an item than the conditions do.
 */
export function underStanding(writes: readonly Write[], standing: readonly Standing[]): Write[] {
  const conditions = new Map(standing.map((each) => [keyText(each.check), each]));
  const joined = writes.map((write) => {
    const id = keyText(keyOfWrite(write));
    const condition = conditions.get(id);
    if (condition === undefined || 'addToAny' in write) return write;
    conditions.delete(id);
    return withCondition(write, condition.when);
  });
  const otherwise = () => new RightsChanged();
  return [...joined, ...[...conditions.values()].map((each): Write => ({ ...each, otherwise }))];
}

function withCondition<W extends Exclude<Write, { readonly addToAny: unknown }>>(write: W, when: Standing['when']): W {
  const own: Condition | undefined = write.when;
  const otherwise = () => new RightsChanged();
  if (own === undefined) return { ...write, when, otherwise };
  if (own === 'absent') throw otherwise();
  if (when === 'present') return write;
  if (own === 'present') return { ...write, when, otherwise };
  if ('amount' in own || 'forProject' in own) throw new Error('What is counted, or of a project, gives no rights.');
  if ('same' in when) return { ...write, when: { ...own, same: { ...own.same, ...when.same } }, otherwise };
  if (!('version' in own)) return { ...write, when: { ...own, ...when } };
  if (own.version !== when.version) throw otherwise();
  return write;
}
