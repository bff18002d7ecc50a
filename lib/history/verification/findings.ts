/** An event, a seal or a feature of a history in which something is wrong. */
export interface Finding {
  /** The id of the first event of a change, by which the API finds it. */
  readonly event?: number;
  readonly feature?: string;
  /** The time of the event, ISO 8601. */
  readonly at?: string;
  /** The number of a seal. */
  readonly seal?: number;
  /** The problem in a sentence. */
  readonly problem: string;
}

/** The most findings that are kept. Somebody who rewrites a whole history would otherwise fill the memory. */
const keptMax = 10_000;

/** Collects findings without repeats: one for each event, and one for each text about something else. */
export class FindingList {
  readonly #found = new Map<string, Finding>();
  #dropped = 0;

  /** Adds a finding, unless there is already one about its event. */
  add(finding: Finding): void {
    const key = finding.event === undefined ? describeFinding(finding) : String(finding.event);
    if (this.#found.has(key)) return;
    if (this.#found.size === keptMax) this.#dropped += 1;
    else this.#found.set(key, finding);
  }

  /** The findings about seals and features, then those about events, the oldest first. */
  get all(): readonly Finding[] {
    return [...this.#found.values()].toSorted((a, b) => (a.event ?? 0) - (b.event ?? 0));
  }

  /** The number of findings that were not kept. */
  get dropped(): number {
    return this.#dropped;
  }
}

/** Describes a finding in one line. */
export function describeFinding({ event, feature, at, seal, problem }: Finding): string {
  const subject = [
    ...(event === undefined ? [] : [`event ${event}`]),
    ...(feature === undefined ? [] : [`feature ${feature}`]),
    ...(event !== undefined || seal === undefined ? [] : [`seal ${seal}`]),
    ...(at === undefined ? [] : [at]),
  ];
  return subject.length === 0 ? problem : `${subject.join(', ')}: ${problem}`;
}
