/** The JSON of a feature as SDKs get it, and its project, which the event of its removal names. */
interface DeltaFeature {
  readonly text: string;
  readonly project: string;
}

/** All that an SDK sees at one moment. */
export interface DeltaState {
  /** Rises with every change, so that it numbers the events of an SDK. */
  readonly revision: number;
  /** A hash of the features and segments: equal states have equal hashes in every process. */
  readonly hash: string;
  readonly features: ReadonlyMap<string, DeltaFeature>;
  /** The JSON of the segments that the features use, by id. */
  readonly segments: ReadonlyMap<number, string>;
}

/** A change from one state to the next: the names of what differs, not the difference. */
interface Step {
  /** The hash of the state before it. */
  readonly from: string;
  /** The features that changed or went, each name with its project. */
  readonly features: ReadonlyMap<string, string>;
  readonly segments: ReadonlySet<number>;
}

/** The changes that a delta cache remembers. An SDK that has missed more of them gets everything again. */
const stepsMax = 100;
/** The changed features and segments that all these changes may name. That number of names takes half a megabyte. */
const namesMax = 10_000;

/**
 * The latest state of what SDKs with one query see, and the names of what changed before it. An earlier state is identified by its
 * hash, since a hash means the same in every process, after a restart and after a restore. A number does not.
 */
export class DeltaCache {
  #state: DeltaState;
  #steps: Step[] = [];

  constructor(state: DeltaState) {
    this.#state = state;
  }

  get state(): DeltaState {
    return this.#state;
  }

  /** Moves on to a later state; an earlier one, which a slower request has read, is ignored. */
  moveOn(next: DeltaState): void {
    const before = this.#state;
    if (next.revision <= before.revision) return;
    this.#state = next;
    if (next.hash === before.hash) return;
    const step = {
      from: before.hash,
      features: listChanged(before, next),
      segments: listChangedSegments(before, next),
    };
    this.#steps = listNewest([...this.#steps, step].slice(-stepsMax));
  }

  /** Tells whether it remembers the changes since the state with a hash. */
  knows(hash: string | undefined): boolean {
    return this.#steps.some(({ from }) => from === hash);
  }

  /**
   * Writes the events that bring an SDK from the state with a hash to the present one, as a list in JSON. The list is empty if they
   * are the same state. It is everything if the hash is unknown, or if the changes would be longer.
   */
  writeEventsSince(hash: string | undefined): string {
    if (hash === this.#state.hash) return '[]';
    // The delta cache may have had the same state several times. The last time leaves the fewest changes.
    const first = this.#steps.findLastIndex(({ from }) => from === hash);
    const events = first === -1 ? undefined : writeChanges(this.#steps.slice(first), this.#state);
    return events !== undefined && events.length < countCharacters(this.#state) ? events : writeHydration(this.#state);
  }
}

/** Lists the newest steps that together name few enough features and segments. */
function listNewest(steps: readonly Step[]): Step[] {
  let names = 0;
  const first = steps.findLastIndex(({ features, segments }) => {
    names += features.size + segments.size;
    return names > namesMax;
  });
  return steps.slice(first + 1);
}

/** Lists the features that differ, each with the project that it had before, or has if it is new. */
function listChanged(before: DeltaState, next: DeltaState): Map<string, string> {
  const changed = new Map<string, string>();
  for (const [name, { text, project }] of next.features) {
    const old = before.features.get(name);
    if (old?.text !== text) changed.set(name, old?.project ?? project);
  }
  for (const [name, { project }] of before.features) if (!next.features.has(name)) changed.set(name, project);
  return changed;
}

function listChangedSegments(before: DeltaState, next: DeltaState): Set<number> {
  const ids = [...before.segments.keys(), ...next.segments.keys()];
  return new Set(ids.filter((id) => before.segments.get(id) !== next.segments.get(id)));
}

/** Counts the characters of all features and segments, without writing them. */
function countCharacters({ features, segments }: DeltaState): number {
  const texts = [...[...features.values()].map(({ text }) => text), ...segments.values()];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function writeHydration({ revision, features, segments }: DeltaState): string {
  const texts = [...features.values()].map(({ text }) => text);
  return `[{"type":"hydration","eventId":${revision},"features":[${texts}],"segments":[${[...segments.values()]}]}]`;
}

/**
 * Writes the present state of everything that changed in some steps. Segments come before the features that use them, and are
 * removed after the features that used them. A feature that moved is removed from its old project first.
 */
function writeChanges(steps: readonly Step[], { revision, features, segments }: DeltaState): string {
  const changed = new Map(steps.toReversed().flatMap((step) => [...step.features]));
  const changedSegments = new Set(steps.flatMap((step) => [...step.segments]));
  const head = (type: string) => `{"type":"${type}","eventId":${revision}`;
  const updatedSegments = [...changedSegments].flatMap((id) => {
    const text = segments.get(id);
    return text === undefined ? [] : [`${head('segment-updated')},"segment":${text}}`];
  });
  const removed = [...changed]
    .filter(([name, project]) => features.get(name)?.project !== project)
    .map(([featureName, project]) => `${head('feature-removed')},${JSON.stringify({ featureName, project }).slice(1)}`);
  const updated = [...changed.keys()].flatMap((name) => {
    const feature = features.get(name);
    return feature === undefined ? [] : [`${head('feature-updated')},"feature":${feature.text}}`];
  });
  const removedSegments = [...changedSegments]
    .filter((id) => !segments.has(id))
    .map((id) => `${head('segment-removed')},"segmentId":${id}}`);
  return `[${[...updatedSegments, ...removed, ...updated, ...removedSegments]}]`;
}
