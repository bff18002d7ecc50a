import fc from 'fast-check';
import type { Checkpoint } from '../../../lib/history/checkpoint-schema.ts';
import type { Finding } from '../../../lib/history/verification/findings.ts';
import { verifyHistory } from '../../../lib/history/verify-history.ts';
import type { RawItem } from '../../../lib/store/raw-items.ts';
import { type Item, isEvents } from '../../harness/items.ts';
import { addEvent, alterEvent, computeAllAgain, removeEvent, swapEvents } from '../../harness/tampering.ts';

/** The ways to tamper with a history. */
export const acts = ['altered', 'removed', 'added', 'exchanged'] as const;
export type Act = (typeof acts)[number];

/** Reads the items of the tampered history where they are kept: in a store, or in a backup. */
export type Keep = (items: readonly Item[]) => Promise<readonly RawItem[]>;

/** A tampered history, and the events of which a verification must name each. */
interface Case {
  readonly items: readonly Item[];
  /** The items of events that it is about. An event that is removed before a seal lists it is named by those around it. */
  readonly targets: readonly Target[];
}

interface Target {
  readonly id: number;
  readonly feature: string | undefined;
  readonly isSealed: boolean;
}

const featureOf = ({ pk }: Item) => /^FEATURE#(.+)#EVENTS$/.exec(pk)?.[1];

/** Chooses cases from a history. Equal seeds choose alike. */
export class Cases {
  readonly #items: readonly Item[];
  readonly #events: readonly Item[];
  readonly #sealed: ReadonlySet<number>;

  constructor(items: readonly Item[]) {
    this.#items = items;
    const leaves = items.filter(({ pk }) => pk.startsWith('SEAL#')).flatMap(({ leaves }) => String(leaves).split('\n'));
    this.#sealed = new Set(leaves.map((leaf) => Number(leaf.split(':')[0])));
    // Nobody can notice that an event of no feature is new, altered or gone before a seal lists it.
    this.#events = items.filter(
      (item) => isEvents(item.pk) && (featureOf(item) !== undefined || this.#sealed.has(Number(item.sk))),
    );
  }

  /** Chooses cases of an act. */
  choose(act: Act, count: number, seed: number): Case[] {
    const index = fc.noBias(fc.nat({ max: this.#events.length - 1 }));
    const choices = fc.sample(fc.tuple(index, index, fc.boolean()), { seed, numRuns: count * 2 });
    return choices
      .filter(([one, other]) => act !== 'exchanged' || this.#differ(one, other))
      .slice(0, count)
      .map(([one, other, isLinked]) => this.#build(act, this.#at(one), this.#at(other), isLinked));
  }

  #at(index: number): Item {
    return this.#events[index] as Item;
  }

  #differ(one: number, other: number): boolean {
    return one !== other && this.#at(one).events !== this.#at(other).events;
  }

  #targetOf(item: Item): Target {
    return { id: Number(item.sk), feature: featureOf(item), isSealed: this.#sealed.has(Number(item.sk)) };
  }

  #build(act: Act, one: Item, other: Item, isLinked: boolean): Case {
    const targets = [this.#targetOf(one)];
    if (act === 'altered') return { items: alterEvent(this.#items, one), targets };
    if (act === 'removed') return { items: removeEvent(this.#items, one), targets };
    if (act === 'exchanged') {
      return { items: swapEvents(this.#items, one, other), targets: [...targets, this.#targetOf(other)] };
    }
    const used = new Set(this.#items.filter(({ pk }) => isEvents(pk)).flatMap(idsIn));
    let id = Number(one.sk) + 1;
    while (used.has(id)) id += 1;
    // It has the time of the other event. Nobody can know of an event that was added after the last seal.
    const added = { ...this.#targetOf(one), id };
    return { items: addEvent(this.#items, one, id, isLinked), targets: [added] };
  }
}

const idsIn = ({ events }: Item): number[] =>
  (JSON.parse(String(events)) as { readonly id: number }[]).map(({ id }) => id);

/** Lists the targets that a verification has not named. */
function listUnnamed(targets: readonly Target[], findings: readonly Finding[]): Target[] {
  return targets.filter(({ id, feature, isSealed }) => {
    if (findings.some(({ event }) => event === id)) return false;
    const around = findings.filter((finding) => finding.event === undefined && finding.feature === feature);
    return isSealed || !around.some(({ problem }) => isBetween(id, problem));
  });
}

/** Tells whether a problem names the events around an id: after one, and before another. */
function isBetween(id: number, problem: string): boolean {
  const [, after] = /after event (\d+)/.exec(problem) ?? [];
  const [, before] = /(?:before|up to) event (\d+)/.exec(problem) ?? [];
  return /missing/.test(problem) && id > Number(after ?? 0) && id <= Number(before ?? Number.MAX_SAFE_INTEGER);
}

/** Verifies cases, and describes those that are not found or not named. */
export async function verifyCases(act: Act, cases: readonly Case[], keep: Keep): Promise<string[]> {
  const broken: string[] = [];
  for (const { items, targets } of cases) {
    const { findings } = await verifyHistory(await keep(items));
    const unnamed = listUnnamed(targets, findings);
    if (unnamed.length > 0) broken.push(describe(act, unnamed, findings));
  }
  return broken;
}

/**
 * Verifies cases whose author has computed all later links, own items and seals again. With the checkpoint that keeps the seals, the
 * event must be named; with the hash alone, found; and without, the verification must say that it cannot know.
 */
export async function verifyHiddenCases(
  act: Act,
  cases: readonly Case[],
  keep: Keep,
  checkpoints: { readonly kept: Checkpoint; readonly small: Checkpoint },
): Promise<string[]> {
  const broken: string[] = [];
  const { kept, small } = checkpoints;
  for (const { items, targets } of cases) {
    const again = await keep(computeAllAgain(items));
    const [exact, byHash, without] = await Promise.all(
      [[kept], [small], []].map((known) => verifyHistory(again, known)),
    );
    const sealed = targets.filter(({ isSealed }) => isSealed);
    const unnamed = listUnnamed(sealed, exact?.findings ?? []);
    if (unnamed.length > 0) broken.push(`hidden, ${describe(act, unnamed, exact?.findings ?? [])}`);
    if (sealed.length > 0 && byHash?.findings.length === 0) broken.push(`hidden, ${act}: the hash did not find it`);
    if (!without?.limits.some((limit) => limit.includes('computed all later links and seals again'))) {
      broken.push(`hidden, ${act}: the verification did not say what it cannot know`);
    }
  }
  return broken;
}

function describe(act: Act, unnamed: readonly Target[], findings: readonly Finding[]): string {
  return `${act}: ${JSON.stringify(unnamed)} was not named: ${JSON.stringify(findings.slice(0, 3))}`;
}
