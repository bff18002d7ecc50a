import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { Condition, Write } from '../store/transactions/write.ts';
import * as projectKeys from './keys.ts';

/*
 * The ledger of a project: sums over its features, and what is closed for them. It is kept in several items, the shards, of
 * which a transaction takes any and only the sum counts; so that each number here is the sum of one attribute of theirs.
 */

/** The numbers of a shard that are named after a type of features, an environment or another project. */
type NamedNumber = `${'type' | 'on' | 'in' | 'out' | 'closed'}:${string}`;

/** A shard as it is stored; what is missing is 0. */
interface Shard {
  /** The sum of the marks of all features. */
  readonly sum?: number;
  /** Counts the changes. */
  readonly r?: number;
  /** The sum of the marks of all features that came from other projects or went to them. */
  readonly moved?: number;
  readonly live?: number;
  readonly archived?: number;
  /** Of the live ones. */
  readonly stale?: number;
  /** 1 in all shards while the project takes no features. */
  readonly closed?: number;
  /**
   * Live features by type, and how many are on by environment; the sums of the marks of features that came from another
   * project, and that went to it; 1 in all shards while what features do in an environment is closed.
   */
  readonly [name: NamedNumber]: number;
  /** Time of the last change with an event that was written to this shard. */
  readonly changedAt?: string;
}

type NumberName = Exclude<keyof Shard, 'changedAt'>;

export type LedgerItem = Key & Shard;

/** Distinguishes one state of the features of a project from all others. */
export interface Marks {
  /** The sum of the marks of all features. */
  readonly sum: number;
  /** Counts the changes; it never falls. */
  readonly revision: number;
  /** The sum of the marks of all features that came from other projects or went to them. */
  readonly moved: number;
  /** Missing where they were not read. */
  readonly moves?: Moves;
}

/** The sums of the marks of features that came from other projects and went to them, by these projects. */
interface Moves {
  readonly from: ReadonlyMap<string, number>;
  readonly to: ReadonlyMap<string, number>;
}

/** Counts of a project's features: live ones, except `archived`. */
export interface FeatureCounts {
  readonly live: number;
  readonly archived: number;
  readonly stale: number;
  /** By type. */
  readonly types: ReadonlyMap<string, number>;
  /** Number of features that are on, by environment. */
  readonly on: ReadonlyMap<string, number>;
  /** Time of the last change of one of them; null where there was none, or where it predates this field. */
  readonly changedAt: string | null;
}

export interface Ledger {
  readonly project: string;
  readonly marks: Required<Marks>;
  readonly counts: FeatureCounts;
  /** True while the project takes no features. */
  readonly isClosed: boolean;
  /** The environments that the project has removed: features may do no more there than they do. */
  readonly closedEnvironments: ReadonlySet<string>;
  /** By sort key. */
  readonly shards: ReadonlyMap<string, Shard>;
}

/** Reads the ledger as of a moment of this call; it costs the same for any number of features. */
export async function loadLedger(request: Request, project: string): Promise<Ledger> {
  return ledgerFrom(project, await queryAll<LedgerItem>(request, projectKeys.allMarks(project)));
}

/** Reads the counts of a project's ledger. */
export async function loadFeatureCounts(request: Request, project: string): Promise<FeatureCounts> {
  return (await loadLedger(request, project)).counts;
}

/** The attributes of which `ledgerFrom` makes the marks, but for the moves. */
export const marksAttributes: readonly string[] = ['sum', 'r', 'moved'] satisfies NumberName[];

/** Builds a ledger from its items, even where only some of their attributes were read. */
export function ledgerFrom(project: string, items: readonly LedgerItem[]): Ledger {
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
    marks: {
      sum: total('sum'),
      revision: total('r'),
      moved: total('moved'),
      moves: { from: under(totals, 'in:'), to: under(totals, 'out:') },
    },
    counts: {
      live: total('live'),
      archived: total('archived'),
      stale: total('stale'),
      types: under(totals, 'type:'),
      on: under(totals, 'on:'),
      changedAt: times.toSorted().at(-1) ?? null,
    },
    isClosed: total('closed') !== 0,
    closedEnvironments: new Set(under(totals, 'closed:').keys()),
  };
}

function under(totals: ReadonlyMap<string, number>, prefix: NamedNumber): Map<string, number> {
  return new Map(
    [...totals]
      .filter(([name, amount]) => name.startsWith(prefix) && amount !== 0)
      .map(([name, amount]) => [name.slice(prefix.length), amount]),
  );
}

/** True where the features are as they were, moves apart. */
export function isSame(marks: Marks, { sum, revision }: Marks): boolean {
  return marks.sum === sum && marks.revision === revision;
}

/** One feature in the ledger of its project. */
export interface Entry {
  readonly project: string;
  readonly mark: number;
  readonly isArchived: boolean;
  readonly type: string;
  readonly isStale: boolean;
  /** The environments in which it is on. */
  readonly on: readonly string[];
}

/** Parts of a project that can be closed for features. */
export interface Closable {
  /** The project itself. */
  readonly isWhole: boolean;
  /** The environments in which features then do no more than they did. */
  readonly environments: readonly string[];
}

/**
 * Returns the writes of a feature's entry in the ledgers of the projects that it leaves and enters. A decision depends
 * on a project that was read; where something that it needs was closed meanwhile, the transaction is lost.
 * @param needed parts that must be open in the project that the feature enters or stays in.
 * @param at time of the change; undefined for a change that project lists show no time of.
 */
export function entryWrites(
  before: Entry | undefined,
  after: Entry | undefined,
  needed: Closable,
  at: string | undefined,
): Write[] {
  const set = at === undefined ? undefined : ({ changedAt: at } satisfies Shard);
  const projects = new Set([before, after].flatMap((entry) => entry?.project ?? []));
  return [...projects].map((project) => {
    const amounts = new Map<NumberName, number>([['r', 1]]);
    const add = (entry: Entry | undefined, sign: 1 | -1) => {
      if (entry?.project !== project) return;
      for (const [name, amount] of entryAmounts(entry)) amounts.set(name, (amounts.get(name) ?? 0) + sign * amount);
    };
    add(before, -1);
    add(after, 1);
    if (before !== undefined && after !== undefined && projects.size > 1) {
      // Who reads two projects sees by these whether both were read before the move, or both after it.
      amounts.set(project === after.project ? `in:${before.project}` : `out:${after.project}`, after.mark);
      amounts.set('moved', after.mark);
    }
    const changed = Object.fromEntries([...amounts].filter(([, amount]) => amount !== 0));
    const unless = after?.project === project ? closuresOf(needed) : [];
    return { addToAny: projectKeys.marks(project), amounts: changed, ...(set && { set }), unless };
  });
}

/**
 * Returns the numbers that a feature adds to those of its project: its mark, which every change renews, and its counts.
 */
export function entryAmounts(entry: Omit<Entry, 'project'>): (readonly [NumberName, number])[] {
  const { mark, isArchived, type, isStale, on } = entry;
  const live: NumberName[] = [
    'live',
    `type:${type}`,
    ...(isStale ? ['stale' as const] : []),
    ...on.map((name) => `on:${name}` as const),
  ];
  const counted: NumberName[] = isArchived ? ['archived'] : live;
  return [['sum', mark], ...counted.map((name) => [name, 1] as const)];
}

function closuresOf({ isWhole = false, environments = [] }: Partial<Closable>): NumberName[] {
  return [...(isWhole ? ['closed' as const] : []), ...environments.map((name) => `closed:${name}` as const)];
}

/** A change of what is closed for features. */
export interface Closing extends Partial<Closable> {
  readonly isClosed: boolean;
  /** Only where no feature has changed since the ledger was read, so that what was counted by then holds. */
  readonly ifUnchanged?: boolean;
}

/**
 * Returns the writes that close a project, or some of its environments, or open them again. No change of a feature that
 * depends on an open part comes after its closing.
 */
export function closingWrites({ project, shards }: Ledger, closing: Closing): Write[] {
  const { isClosed, ifUnchanged = false } = closing;
  return projectKeys.marks(project).map((key) => {
    const before = shards.get(key.sk);
    const amounts = closuresOf(closing).map((name) => [name, Number(isClosed) - (before?.[name] ?? 0)] as const);
    const unchanged: Condition = before === undefined ? 'absent' : { same: { r: before.r ?? 0 } };
    return {
      add: key,
      amounts: { ...Object.fromEntries(amounts), sum: 0, r: 1 },
      ...(ifUnchanged && { when: unchanged }),
    };
  });
}

/** Returns the write of a transaction that counts only while an environment of a project is closed. */
export function whileClosed(project: string, environment: string): Write {
  return { addToAny: projectKeys.marks(project), amounts: {}, provided: closuresOf({ environments: [environment] }) };
}
