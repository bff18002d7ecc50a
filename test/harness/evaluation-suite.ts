import { describe, expect, test } from 'vitest';
import type { EvaluableConstraint } from '../../lib/delivery/evaluation/constraint.ts';
import { buildContext, type EvaluationContext } from '../../lib/delivery/evaluation/context.ts';
import type { EvaluableFeature, Evaluation } from '../../lib/delivery/evaluation/evaluation.ts';
import { readClientSpecification } from './client-specification.ts';

interface Segment {
  readonly id: number;
  readonly constraints: readonly EvaluableConstraint[];
}

const files = readClientSpecification<EvaluableFeature, Segment>();

function contextOf({ properties = {}, ...texts }: Record<string, unknown>): EvaluationContext {
  const asTexts = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return buildContext({ texts: asTexts(texts), properties: asTexts(properties as object) });
}

/** The result of a feature that does not exist. */
const off = {
  enabled: false,
  variant: { name: 'disabled', enabled: false, feature_enabled: false, featureEnabled: false },
};

/** Tests that an evaluation gives all results that the specification of SDKs asks for. */
export function suiteOfEvaluation(Engine: typeof Evaluation): void {
  test('The specification of SDKs has as many checks as were known', () => {
    const counts = files.map(({ tests, variantTests }) => tests.length + variantTests.length);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(279);
  });

  describe.each(files)('as specified for SDKs: $name', ({ state: { features, segments }, tests, variantTests }) => {
    const evaluation = new Engine({ features, segments: new Map(segments.map((each) => [each.id, each])) });
    const evaluate = (toggleName: string, context: Record<string, unknown>) =>
      evaluation.evaluate(toggleName, contextOf(context)) ?? off;

    for (const { description, context, toggleName, expectedResult } of tests) {
      test(description, () => {
        expect(evaluate(toggleName, context).enabled).toBe(expectedResult);
      });
    }

    for (const { description, context, toggleName, expectedResult } of variantTests) {
      test(description, () => {
        const { featureEnabled: _camelCase, ...variant } = evaluate(toggleName, context).variant;
        expect(variant).toEqual(expectedResult);
      });
    }
  });
}
