import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { Condition, Write } from '../store/transactions/write.ts';
import * as projectKeys from './keys.ts';

/** Numbers per type of features, per environment, and per other project. */
type NamedNumber = `${'type' | 'on' | 'in' | 'out' | 'closed'}:${string}`;

/** A shard as it is stored; missing numbers are 0. */
interface Shard {
  /** The sum of the checksums of all features. */
  readonly sum?: number;
  /** The number of changes. */
  readonly r?: number;
  /** The sum of the checksums of all features that came from other projects or went to them. */
  readonly moved?: number;
  readonly live?: number;
  readonly archived?: number;
  /** Live ones only. */
  readonly stale?: number;
  /** 1 in all shards while the project is locked: it takes no features. */
  readonly closed?: number;
  /**
   * `type:` live features of a type; `on:` features that are on in an environment; `in:` and `out:` the checksums of features that
   * came from another project or went there; `closed:` 1 in all shards while an environment is locked.
   */
  readonly [name: NamedNumber]: number;
  /** Time of the last change in this shard that has an event. */
  readonly changedAt?: string;
}

type NumberName = Exclude<keyof Shard, 'changedAt'>;

export type LedgerItem = Key & Shard;

/** Distinguishes each state of the features of a project from all others. */
export interface ReadModelChecksum {
  /** The sum of the checksums of all features. */
  readonly sum: number;
  /** The number of changes. */
  readonly revision: number;
  /** The sum of the checksums of all features that came from other projects or went to them. */
  readonly moved: number;
  /** Missing if they were not read. */
  readonly moves?: Moves;
}

/** The sums of the checksums of features that came from other projects and went to them, by project. */
interface Moves {
  readonly from: ReadonlyMap<string, number>;
  readonly to: ReadonlyMap<string, number>;
}

/** Counts of a project's live features, except for `archived`. */
export interface FeatureCounts {
  readonly live: number;
  readonly archived: number;
  readonly stale: number;
  /** The numbers of features by type. */
  readonly types: ReadonlyMap<string, number>;
  /** Features that are on, by environment. */
  readonly on: ReadonlyMap<string, number>;
  /** Time of the last change of one of them; null if there was none, or only one before this field existed. */
  readonly changedAt: string | null;
}

/**
 * The ledger of a project: the counts and the checksum of its features, and locks. It is stored in 64 items, the shards. A
 * transaction writes to any one of them, so each number is the sum over all shards.
 */
export interface Ledger {
  readonly project: string;
  readonly checksum: Required<ReadModelChecksum>;
  readonly counts: FeatureCounts;
  /** The project takes no features. */
  readonly isLocked: boolean;
  /** The environments that the project has removed: features can only be switched off there. */
  readonly lockedEnvironments: ReadonlySet<string>;
  /** The shards by sort key. */
  readonly shards: ReadonlyMap<string, Shard>;
}

/** Loads the ledger of a project; the cost does not depend on the number of features. */
export async function loadLedger(request: Request, project: string): Promise<Ledger> {
  return buildLedger(project, await queryAll<LedgerItem>(request, projectKeys.ledger(project)));
}

/** Loads the counts of a project's features. */
export async function loadFeatureCounts(request: Request, project: string): Promise<FeatureCounts> {
  return (await loadLedger(request, project)).counts;
}

/** The attributes from which `buildLedger` makes the checksum, without the moves. */
export const checksumAttributes: readonly string[] = ['sum', 'r', 'moved'] satisfies NumberName[];

/** Builds a ledger from its items, of which some attributes may be missing. */
export function buildLedger(project: string, items: readonly LedgerItem[]): Ledger {
  const totals = new Map<string, number>();
  const times: string[] = [];
  const shards = new Map<string, Shard>();
  for (const { pk: _pk, sk, ...shard } of items) {
    shards.set(sk, shard);
    const { changedAt, ...numbers } = shard;
    if (changedAt !== undefined) times.push(changedAt);
    for (const [name, amount] of Object.entries(numbers)) totals.set(name, (totals.get(name) ?? 0) + amount);
  }
  const total = (name: NumberName) => totals.get(name) ?? 0;
  return {
    project,
    shards,
    checksum: {
      sum: total('sum'),
      revision: total('r'),
      moved: total('moved'),
      moves: { from: numbersUnder(totals, 'in:'), to: numbersUnder(totals, 'out:') },
    },
    counts: {
      live: total('live'),
      archived: total('archived'),
      stale: total('stale'),
      types: numbersUnder(totals, 'type:'),
      on: numbersUnder(totals, 'on:'),
      changedAt: times.toSorted().at(-1) ?? null,
    },
    isLocked: total('closed') !== 0,
    lockedEnvironments: new Set(numbersUnder(totals, 'closed:').keys()),
  };
}

function numbersUnder(totals: ReadonlyMap<string, number>, prefix: NamedNumber): Map<string, number> {
  return new Map(
    [...totals]
      .filter(([name, amount]) => name.startsWith(prefix) && amount !== 0)
      .map(([name, amount]) => [name.slice(prefix.length), amount]),
  );
}

/** Tells whether features are the same, except for moves. */
export function isSameChecksum(checksum: ReadModelChecksum, { sum, revision }: ReadModelChecksum): boolean {
  return checksum.sum === sum && checksum.revision === revision;
}

/** Returns the health of a project, the percentage of its live features that are not stale, and the rest as technical debt. */
export function healthOf({ live, stale }: Pick<FeatureCounts, 'live' | 'stale'>) {
  const health = live === 0 ? 100 : Math.round(100 - (100 * stale) / live);
  return { health, technicalDebt: 100 - health };
}

/** A feature in the ledger of its project. */
export interface Entry {
  readonly project: string;
  readonly checksum: number;
  readonly isArchived: boolean;
  readonly type: string;
  readonly isStale: boolean;
  /** The environments in which it is on. */
  readonly on: readonly string[];
}

/** Parts of a project that can be locked. */
export interface LockableParts {
  /** The project takes no features. */
  readonly wholeProject: boolean;
  /** The environments in which features can only be switched off. */
  readonly environments: readonly string[];
}

/**
 * Builds the ledger writes for a change of a feature: in its project, and in the one that it leaves.
 * @param needed parts that must not be locked in the project of the feature, or else the transaction fails.
 * @param at time of the change; undefined if project lists do not show it.
 */
export function buildEntryWrites(
  before: Entry | undefined,
  after: Entry | undefined,
  needed: LockableParts,
  at: string | undefined,
): Write[] {
  const set = at === undefined ? undefined : ({ changedAt: at } satisfies Shard);
  const projects = new Set([before, after].flatMap((entry) => entry?.project ?? []));
  return [...projects].map((project) => {
    const amounts = new Map<NumberName, number>([['r', 1]]);
    const add = (entry: Entry | undefined, sign: 1 | -1) => {
      if (entry?.project !== project) return;
      for (const [name, amount] of entryAmountsOf(entry)) amounts.set(name, (amounts.get(name) ?? 0) + sign * amount);
    };
    add(before, -1);
    add(after, 1);
    if (before !== undefined && after !== undefined && projects.size > 1) {
      // A reader of two projects sees from these whether it read both before the move, or both after it.
      amounts.set(project === after.project ? `in:${before.project}` : `out:${after.project}`, after.checksum);
      amounts.set('moved', after.checksum);
    }
    const changed = Object.fromEntries([...amounts].filter(([, amount]) => amount !== 0));
    const unless = after?.project === project ? lockNamesOf(needed) : [];
    return { addToAny: projectKeys.ledgerShards(project), amounts: changed, ...(set && { set }), unless };
  });
}

/** Returns the numbers of a feature in its project: its checksum, which is new with every change, and its counts. @internal */
export function entryAmountsOf(entry: Omit<Entry, 'project'>): (readonly [NumberName, number])[] {
  const { checksum, isArchived, type, isStale, on } = entry;
  const live: NumberName[] = [
    'live',
    `type:${type}`,
    ...(isStale ? ['stale' as const] : []),
    ...on.map((name) => `on:${name}` as const),
  ];
  const counts: NumberName[] = isArchived ? ['archived'] : live;
  return [['sum', checksum], ...counts.map((name) => [name, 1] as const)];
}

function lockNamesOf({ wholeProject = false, environments = [] }: Partial<LockableParts>): NumberName[] {
  return [...(wholeProject ? ['closed' as const] : []), ...environments.map((name) => `closed:${name}` as const)];
}

/** A lock to set or to remove. */
export interface LockChange extends Partial<LockableParts> {
  readonly isLocked: boolean;
  /** Fails if a feature has changed since the ledger was read, so that its counts are still right. */
  readonly ifUnchanged?: boolean;
}

/**
 * Builds the writes that lock or unlock a project, or some of its environments. They change all shards, so that no change of a
 * feature can miss a lock.
 */
export function buildLockWrites({ project, shards }: Ledger, change: LockChange): Write[] {
  const { isLocked, ifUnchanged = false } = change;
  return projectKeys.ledgerShards(project).map((key) => {
    const before = shards.get(key.sk);
    const amounts = lockNamesOf(change).map((name) => [name, Number(isLocked) - (before?.[name] ?? 0)] as const);
    const unchanged: Condition = before === undefined ? 'absent' : { same: { r: before.r ?? 0 } };
    return {
      add: key,
      amounts: { ...Object.fromEntries(amounts), sum: 0, r: 1 },
      ...(ifUnchanged && { when: unchanged }),
    };
  });
}

/** Builds the condition that an environment of a project is locked. */
export function buildLockCondition(project: string, environment: string): Write {
  return {
    addToAny: projectKeys.ledgerShards(project),
    amounts: {},
    provided: lockNamesOf({ environments: [environment] }),
  };
}
