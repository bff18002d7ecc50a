import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A check of the specification of SDKs. */
interface Check {
  readonly description: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly toggleName: string;
}

/** State of an SDK: features and segments, as the features API sends them. */
interface State<Feature, Segment> {
  readonly features: readonly Feature[];
  readonly segments: readonly Segment[];
}

/** A file of the specification of SDKs. */
export interface SpecificationFile<Feature, Segment> {
  readonly name: string;
  readonly state: State<Feature, Segment>;
  /** The state after each event, where the file has events. */
  readonly states: readonly State<Feature, Segment>[];
  readonly tests: readonly (Check & { readonly expectedResult: boolean })[];
  readonly variantTests: readonly (Check & { readonly expectedResult: object })[];
}

/** A file as it is stored: some have their state as the answer of the features API, others as events of the delta API. */
type StoredFile<Feature, Segment> = Partial<Pick<SpecificationFile<Feature, Segment>, 'tests' | 'variantTests'>> & {
  readonly name: string;
  readonly state: Partial<State<Feature, Segment>> & { readonly events?: readonly DeltaEvent<Feature, Segment>[] };
};

type DeltaEvent<Feature, Segment> =
  | ({ readonly type: 'hydration' } & State<Feature, Segment>)
  | { readonly type: 'feature-updated'; readonly feature: Feature }
  | { readonly type: 'feature-removed'; readonly featureName: string }
  | { readonly type: 'segment-updated'; readonly segment: Segment }
  | { readonly type: 'segment-removed'; readonly segmentId: number };

const require = createRequire(import.meta.url);
const directory = join(dirname(require.resolve('@unleash/client-specification/package.json')), 'specifications');
const read = <T>(file: string): T => JSON.parse(readFileSync(join(directory, file), 'utf8'));

/** The specification of SDKs, file by file. */
export function readClientSpecification<
  Feature extends { readonly name: string },
  Segment extends { readonly id: number },
>(): SpecificationFile<Feature, Segment>[] {
  return read<string[]>('index.json')
    .map((file) => read<StoredFile<Feature, Segment>>(file))
    .map(({ name, state, tests = [], variantTests = [] }) => {
      const { features = [], segments = [], events = [] } = state;
      const states = listStates(events);
      return { name, state: states.at(-1) ?? { features, segments }, states, tests, variantTests };
    });
}

/** Lists the state after each event. */
function listStates<Feature extends { readonly name: string }, Segment extends { readonly id: number }>(
  events: readonly DeltaEvent<Feature, Segment>[],
): State<Feature, Segment>[] {
  const features = new Map<string, Feature>();
  const segments = new Map<number, Segment>();
  return events.map((event) => {
    if (event.type === 'hydration') {
      for (const feature of event.features) features.set(feature.name, feature);
      for (const segment of event.segments) segments.set(segment.id, segment);
    } else if (event.type === 'feature-updated') features.set(event.feature.name, event.feature);
    else if (event.type === 'feature-removed') features.delete(event.featureName);
    else if (event.type === 'segment-updated') segments.set(event.segment.id, event.segment);
    else segments.delete(event.segmentId);
    return { features: [...features.values()], segments: [...segments.values()] };
  });
}
