import { type AnsweredCall, outcomeOf } from '../history.ts';

export interface Version<V> {
  readonly value: V;
  /** The call that made it; none made the first. */
  readonly madeBy?: AnsweredCall;
}

/** Returns the time by which a call has certainly happened; an answer of 5xx leaves open when, if ever. */
const surelyDoneAt = (call: AnsweredCall) => (outcomeOf(call) === 'unknown' ? Number.POSITIVE_INFINITY : call.end);

/**
 * The values that something had, one after the other, and where in this line calls can stand that were made at the same
 * time. A call comes after all that ended before it began, and before all that began after it ended.
 */
export class Timeline<V> {
  readonly versions: Version<V>[];
  /** The earliest place for calls that begin from now on, by what earlier ones have seen. */
  #floor = 0;
  #seen: { readonly end: number; readonly index: number }[] = [];

  constructor(first: V) {
    this.versions = [{ value: first }];
  }

  get last(): Version<V> {
    return this.versions.at(-1) as Version<V>;
  }

  add(value: V, madeBy: AnsweredCall): void {
    this.versions.push({ value, madeBy });
  }

  /** Finds two changes whose calls were made one after the other, but which stand the other way round. */
  reversed(): readonly [earlier: AnsweredCall, later: AnsweredCall] | undefined {
    let latest: AnsweredCall | undefined;
    for (const { madeBy } of this.versions) {
      if (madeBy === undefined) continue;
      if (latest !== undefined && surelyDoneAt(madeBy) < latest.begin) return [madeBy, latest];
      if (latest === undefined || madeBy.begin > latest.begin) latest = madeBy;
    }
    return undefined;
  }

  /** Returns the versions that a call can have met. */
  possible(call: AnsweredCall): Version<V>[] {
    return this.versions.slice(this.#earliest(call), this.#latest(call) + 1);
  }

  /**
   * Tells whether a call can have met a version that explains it. Calls must be passed in the order in which they
   * began: no later one may unsee what an earlier one saw. Each gets the earliest place, which leaves most to the
   * others.
   */
  canMeet(call: AnsweredCall, explains: (value: V) => boolean): boolean {
    const index = this.#placeOf(call, explains);
    if (index !== undefined) this.#seen.push({ end: call.end, index });
    return index !== undefined;
  }

  /**
   * Tells the same as `canMeet` for an answer that leaves open what the call has seen, so that later ones may see
   * anything.
   */
  mayHaveMet(call: AnsweredCall, explains: (value: V) => boolean): boolean {
    return this.#placeOf(call, explains) !== undefined;
  }

  /** Returns the earliest place at which a call can have met a version that explains it. */
  #placeOf(call: AnsweredCall, explains: (value: V) => boolean): number | undefined {
    const latest = this.#latest(call);
    for (let index = Math.max(this.#earliest(call), this.#floorFor(call)); index <= latest; index += 1) {
      const version = this.versions[index];
      if (version !== undefined && explains(version.value)) return index;
    }
    return undefined;
  }

  #floorFor({ begin }: AnsweredCall): number {
    this.#seen = this.#seen.filter(({ end, index }) => {
      if (end > begin) return true;
      this.#floor = Math.max(this.#floor, index);
      return false;
    });
    return this.#floor;
  }

  #earliest({ begin }: AnsweredCall): number {
    return Math.max(
      0,
      this.versions.findLastIndex(({ madeBy }) => madeBy !== undefined && surelyDoneAt(madeBy) < begin),
    );
  }

  #latest({ end }: AnsweredCall): number {
    const after = this.versions.findIndex(({ madeBy }) => madeBy !== undefined && madeBy.begin > end);
    return (after < 0 ? this.versions.length : after) - 1;
  }
}
