import { setTimeout as sleep } from 'node:timers/promises';
import { loadSnapshot } from '../../../lib/delivery/snapshot/load-snapshot.ts';
import type { Request } from '../../../lib/request.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { importOf, importPath } from '../../harness/import-file.ts';
import { interceptAttempts, marshalledOutput, plainOutput } from '../../harness/intercept.ts';
import { underStoreRules } from '../../harness/store-rules.ts';
import type { ProvedService } from '../service.ts';

/** Outcomes of reads while transactions are half visible. */
export interface TornCounts {
  reads: number;
  /** Reads that were answered with half a transaction, the first few in words. */
  torn: number;
  readonly examples: string[];
  /** Reads of the store that saw half a transaction. */
  halfReads: number;
  /** Reads that were refused, since the features changed too fast. */
  refused: number;
  changes: number;
}

export interface TornOptions {
  readonly readsMax: number;
  readonly secondsMax: number;
  /** True if the reader heeds the marks, as it should. */
  readonly isMarked: boolean;
}

const everything = { projects: ['*'], environment: 'development' };
const together = Array.from({ length: 8 }, (_, index) => `together-${index}`);
const movers = Array.from({ length: 4 }, (_, index) => `mover-${index}`);
const homes = ['default', 'shop'] as const;
/** The longest pause between two changes of one writer. */
const pauseMs = 300;
/** Number of processes that read everything for the first time, and of those that read the changes. */
const readersOfEachKind = 2;

/**
 * Reads snapshots while each transaction of eight features says in all of them which one it was, and other features go
 * from one project to another. No snapshot may hold two of the rounds, nor a moving feature twice or not at all.
 */
export async function readTorn(service: ProvedService, options: TornOptions): Promise<TornCounts> {
  const { readsMax, secondsMax, isMarked } = options;
  const counts: TornCounts = { reads: 0, torn: 0, examples: [], halfReads: 0, refused: 0, changes: 0 };
  await importAll(service, movers, 0);
  await importAll(service, together, 0);
  using _without = isMarked ? undefined : withoutMarks(service.table);
  using rules = underStoreRules(service.table, { inFlightMs: 2 });
  const end = performance.now() + secondsMax * 1_000;
  const isOver = () => counts.reads >= readsMax || performance.now() > end;

  async function read(table: Request, seen: number): Promise<void> {
    try {
      const { features } = await loadSnapshot(table, everything, seen);
      counts.reads += 1;
      const problem = problemIn(features);
      if (problem === undefined) return;
      counts.torn += 1;
      if (counts.examples.length < 3) counts.examples.push(problem);
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ServiceUnavailable')) throw error;
      counts.refused += 1;
    }
  }
  const readAnew = async () => {
    while (!isOver()) await read(anotherProcess(service.table), 0);
  };
  const readOn = async () => {
    const table = anotherProcess(service.table);
    // A caller who has seen more than the process knows makes it ask the store at each call.
    for (let seen = 1e12; !isOver(); seen += 1) await read(table, seen);
  };
  const write = async () => {
    for (let round = 1; !isOver(); round += 1) {
      await importAll(service, together, round);
      counts.changes += 1;
      await sleep(Math.random() * pauseMs);
    }
  };
  const move = async () => {
    for (let round = 0; !isOver(); round += 1) {
      const name = movers[round % movers.length];
      const isHome = Math.floor(round / movers.length) % 2 === 0;
      const [from, to] = isHome ? homes : homes.toReversed();
      const path = `/api/admin/projects/${from}/features/${name}/changeProject`;
      const { status, text } = await service.call('POST', path, { body: { newProjectId: to } });
      if (status !== 200) throw new Error(`A feature could not be moved: ${status} ${text}`);
      counts.changes += 1;
      await sleep(Math.random() * pauseMs);
    }
  };
  // Without marks, nothing says what has changed.
  const kinds = isMarked ? [readAnew, readOn] : [readAnew];
  const readers = kinds.flatMap((kind) => Array.from({ length: readersOfEachKind }, kind));
  await Promise.all([write(), move(), ...readers]);
  counts.halfReads = rules.counts.halfReads;
  return counts;
}

interface SeenFeature {
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly strategies: readonly { readonly parameters: Readonly<Record<string, string>> }[];
}

/** Describes the fault in the features of one moment; undefined if there is none. */
function problemIn(features: readonly SeenFeature[]): string | undefined {
  const isMover = ({ name }: SeenFeature) => name.startsWith('mover-');
  const found = features.filter(isMover).map(({ name }) => name);
  if (found.toSorted().join() !== movers.join()) return `The moving features are ${found.join()}.`;
  const rounds = features
    .filter((feature) => !isMover(feature))
    .map(({ description, enabled, strategies }) => `${description}/${strategies[0]?.parameters.rollout}/${enabled}`);
  if (rounds.length !== together.length) return `There are ${rounds.length} features instead of ${together.length}.`;
  const distinct = [...new Set(rounds)];
  const [first = ''] = distinct;
  const [round] = first.split('/');
  if (distinct.length > 1 || first !== shownRound(Number(round))) return `The rounds are ${distinct.join(', ')}.`;
  return undefined;
}

const shownRound = (round: number) => `${round}/${round % 100}/${round % 2 === 0}`;

/** Sends one transaction that marks all features with its number. */
async function importAll(service: ProvedService, names: readonly string[], round: number): Promise<void> {
  const strategies = [{ name: 'flexibleRollout', parameters: { rollout: String(round % 100) } }];
  const state = { description: String(round), enabled: round % 2 === 0, strategies };
  const body = importOf(names.map((name) => ({ name, ...state })));
  const { status, text } = await service.call('POST', importPath, { body });
  if (status !== 200) throw new Error(`An import was answered ${status}: ${text}`);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the store.
type Anything = any;

/** Lets all marks, and what is kept of moves, agree at all times, as if there were none. */
function withoutMarks(table: Request): Disposable {
  const stripped = ({ mark, sum, ...item }: Anything): Anything => ({
    ...Object.fromEntries(Object.entries(item).filter(([key]) => !/^(in|out):/.test(key))),
    ...(mark !== undefined && { mark: 0 }),
    ...(sum !== undefined && { sum: 0 }),
  });
  return interceptAttempts(table, async ({ operation }, next) => {
    const output = plainOutput(await next());
    if (operation === 'BatchGetItem') {
      const Responses = Object.fromEntries(
        Object.entries(output.Responses ?? {}).map(([name, items]) => [
          name,
          (items as Anything[]).map((item) => (item.sk.startsWith('FEATURE#') ? stripped(item) : item)),
        ]),
      );
      return marshalledOutput({ ...output, Responses });
    }
    return marshalledOutput(operation === 'Query' ? { ...output, Items: output.Items?.map(stripped) } : output);
  });
}
