interface Feature {
  readonly name: string;
  readonly project: string;
  readonly description: string | null;
}

interface Segment {
  readonly id: number;
}

/** The parts of an event that a client needs. */
export interface ChangeEvent {
  readonly type: string;
  readonly features?: readonly Feature[];
  readonly segments?: readonly Segment[];
  readonly feature?: Feature;
  readonly segment?: Segment;
  readonly featureName?: string;
  readonly segmentId?: number;
  readonly project?: string;
}

/** The state of a client, built from events as SDKs do, and all problems of these events. */
export class ClientView {
  readonly problems: string[] = [];
  readonly #projects: readonly string[];
  #features = new Map<string, Feature>();
  #segments = new Map<number, Segment>();
  /** The highest count of each flag so far. */
  readonly #counts = new Map<string, number>();

  /** @param projects the projects that the client may see. */
  constructor(projects: readonly string[]) {
    this.#projects = projects;
  }

  apply(events: readonly ChangeEvent[]): void {
    for (const event of events) this.#applyOne(event);
  }

  /** Accepts an earlier state from now on. Call it when the store is restored. */
  allowEarlier(): void {
    this.#counts.clear();
  }

  /** Returns the state as text: equal states have equal texts. */
  toText(): string {
    const features = [...this.#features.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const segments = [...this.#segments.values()].toSorted((a, b) => a.id - b.id);
    return JSON.stringify({ features, segments });
  }

  #applyOne(event: ChangeEvent): void {
    const { type, featureName, segmentId, project } = event;
    if (type === 'hydration') {
      this.#features = new Map(event.features?.map((feature) => [feature.name, feature]));
      this.#segments = new Map(event.segments?.map((segment) => [segment.id, segment]));
    }
    for (const feature of [...(event.features ?? []), ...(event.feature ? [event.feature] : [])]) this.#keep(feature);
    if (event.segment !== undefined) this.#segments.set(event.segment.id, event.segment);
    if (project !== undefined) this.#assertVisible(project, `${type} of ${featureName}`);
    // A flag that moved is removed from its old project, and updated in its new one.
    if (type === 'feature-removed') this.#features.delete(featureName ?? '');
    if (type === 'segment-removed') this.#segments.delete(segmentId ?? 0);
  }

  #keep(feature: Feature): void {
    const { name, project } = feature;
    this.#assertVisible(project, name);
    const [count, before] = [Number(feature.description), this.#counts.get(name) ?? 0];
    if (count < before) this.problems.push(`${name} went back from ${before} to ${count}`);
    this.#counts.set(name, Math.max(count, before));
    this.#features.set(name, feature);
  }

  #assertVisible(project: string, what: string): void {
    if (!this.#projects.includes(project)) this.problems.push(`${what} is of ${project}, which the token may not see`);
  }
}
