import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { bundle } from '../../../infra/bundle.ts';
import { type EvaluationContext, evaluationContext } from '../../../lib/evaluation/context.ts';
import { type Evaluable, type EvaluableFeature, Evaluation } from '../../../lib/evaluation/evaluation.ts';

type Segments = readonly { readonly id: number; readonly constraints: readonly object[] }[];

/** The answer of the features API, or the events of the delta API. */
type State =
  | { readonly features: readonly EvaluableFeature[]; readonly segments?: Segments }
  | { readonly events: readonly DeltaEvent[] };

type DeltaEvent =
  | { readonly type: 'hydration'; readonly features: readonly EvaluableFeature[]; readonly segments: Segments }
  | { readonly type: 'feature-updated'; readonly feature: EvaluableFeature }
  | { readonly type: 'feature-removed'; readonly featureName: string }
  | { readonly type: 'segment-updated'; readonly segment: Segments[number] }
  | { readonly type: 'segment-removed'; readonly segmentId: number };

interface Check {
  readonly description: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly toggleName: string;
}

interface SpecificationFile {
  readonly name: string;
  readonly state: State;
  readonly tests?: readonly (Check & { readonly expectedResult: boolean })[];
  readonly variantTests?: readonly (Check & { readonly expectedResult: object })[];
}

const require = createRequire(import.meta.url);
const directory = join(dirname(require.resolve('@unleash/client-specification/package.json')), 'specifications');
const read = <T>(file: string): T => JSON.parse(readFileSync(join(directory, file), 'utf8'));
const files = read<string[]>('index.json').map((file) => read<SpecificationFile>(file));

/** The same as it is deployed, where some of its packages are replaced by parts of them. */
const bundles = mkdtempSync(join(tmpdir(), 'flagstaff-evaluation-'));
afterAll(() => rmSync(bundles, { recursive: true }));
const source = fileURLToPath(new URL('../../../lib/evaluation/evaluation.ts', import.meta.url));
await bundle({ evaluation: source }, bundles);
const bundled: { Evaluation: typeof Evaluation } = require(join(bundles, 'evaluation/index.cjs'));

function evaluableOf(state: State): Evaluable {
  if ('features' in state) {
    return { features: state.features, segments: new Map((state.segments ?? []).map((each) => [each.id, each])) };
  }
  const features = new Map<string, EvaluableFeature>();
  const segments = new Map<number, Segments[number]>();
  for (const event of state.events) {
    if (event.type === 'hydration') {
      for (const feature of event.features) features.set(feature.name, feature);
      for (const segment of event.segments) segments.set(segment.id, segment);
    } else if (event.type === 'feature-updated') features.set(event.feature.name, event.feature);
    else if (event.type === 'feature-removed') features.delete(event.featureName);
    else if (event.type === 'segment-updated') segments.set(event.segment.id, event.segment);
    else segments.delete(event.segmentId);
  }
  return { features: [...features.values()], segments };
}

function contextOf({ properties = {}, ...texts }: Record<string, unknown>): EvaluationContext {
  const asTexts = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return evaluationContext({ texts: asTexts(texts), properties: asTexts(properties as object) });
}

test('The specification of SDKs has as many checks as were known', () => {
  const counts = files.map(({ tests = [], variantTests = [] }) => tests.length + variantTests.length);
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(279);
});

describe.each([
  ['the source', Evaluation],
  ['the bundle', bundled.Evaluation],
])('In %s', (_title, Engine) => {
  describe.each(files)('as specified for SDKs: $name', ({ state, tests = [], variantTests = [] }) => {
    const evaluation = new Engine(evaluableOf(state));

    for (const { description, context, toggleName, expectedResult } of tests) {
      test(description, () => {
        expect(evaluation.evaluate(toggleName, contextOf(context)).enabled).toBe(expectedResult);
      });
    }

    for (const { description, context, toggleName, expectedResult } of variantTests) {
      test(description, () => {
        const { featureEnabled: _camelCase, ...variant } = evaluation.evaluate(toggleName, contextOf(context)).variant;
        expect(variant).toEqual(expectedResult);
      });
    }
  });
});
