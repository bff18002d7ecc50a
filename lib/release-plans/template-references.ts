import { isDeepStrictEqual } from 'node:util';
import { type LegalValues, loadLegalValues } from '../context-fields/legal-values.ts';
import { type ErrorDetail, invalidRequest } from '../errors.ts';
import type { StrategyInput } from '../features/strategies/strategy-input-schema.ts';
import { findReferenceProblems } from '../features/strategies/strategy-references.ts';
import type { StrategyView } from '../features/strategies/strategy-schema.ts';
import type { Request } from '../request.ts';
import { countExpressionSteps } from '../segments/expression-limit.ts';
import { type Segment, segments } from '../segments/segments.ts';
import { strategyTypes } from '../strategy-types/strategy-types.ts';
import { expressionStepsMax, tooManyStepsMessage } from '../values/expression-steps.ts';
import type { MilestoneInput, ReleaseTemplateInput } from './template-input-schema.ts';
import { type ReleaseTemplate, withType } from './templates.ts';

/** Things to which strategies can refer. */
export interface Referable {
  readonly types: { has(type: string): boolean };
  readonly segments: readonly Segment[];
  readonly legalValues: LegalValues;
}

/** Reads the things to which the strategies of milestones refer. */
export async function loadReferable(
  request: Request,
  milestones: readonly Pick<MilestoneInput, 'strategies'>[],
): Promise<Referable> {
  const strategies = milestones.flatMap(({ strategies = [] }) => strategies.map(withType));
  const [types, usedSegments, legalValues] = await Promise.all([
    strategyTypes.findSome(request, new Set(strategies.map(({ name }) => name))),
    segments.findSome(request, new Set(strategies.flatMap((strategy) => strategy.segments ?? []))),
    loadLegalValues(
      request,
      strategies.flatMap(({ constraints = [] }) => constraints),
    ),
  ]);
  return { types, segments: [...usedSegments.values()], legalValues };
}

/** @throws ApiError 400 with every problem of the things to which the strategies of a template refer. */
export function assertUsable(...template: Parameters<typeof findTemplateProblems>): void {
  const problems = findTemplateProblems(...template);
  if (problems.length > 0) throw invalidRequest(problems);
}

/**
 * Finds the problems of the things to which the strategies of a template refer. A strategy that refers to the same things as before has
 * none, even if a value of it has become illegal.
 */
export function findTemplateProblems(
  project: string | null,
  { milestones }: Pick<ReleaseTemplateInput, 'milestones'>,
  { types, segments: usedSegments, legalValues }: Referable,
  before?: ReleaseTemplate,
): ErrorDetail[] {
  const byId = new Map(usedSegments.map((segment) => [segment.id, segment]));
  const stored = before?.project === project ? before.milestones.flatMap(({ strategies }) => strategies) : [];
  return milestones.flatMap(({ strategies = [] }, index): ErrorDetail[] => {
    const path = `milestones.${index}`;
    const changed = strategies
      .map((input, position) => ({ input: withType(input), position }))
      .filter(({ input }) => !stored.some((old) => old.id === input.id && hasSameReferences(old, input)));
    const steps = changed.length === 0 ? 0 : countExpressionSteps(strategies);
    return [
      ...changed.flatMap(({ input, position }) => {
        const facts = { typeExists: types.has(input.name), segments: byId, legalValues };
        const { unknown, others } = findReferenceProblems(input, facts, project, `${path}.strategies.${position}`);
        return [...unknown, ...others];
      }),
      ...(steps > expressionStepsMax ? [{ message: tooManyStepsMessage('a milestone', steps), path }] : []),
    ];
  });
}

function hasSameReferences(old: StrategyView, { name, segments = [], constraints = [] }: StrategyInput): boolean {
  const sent = [name, [...new Set(segments)], constraints];
  return isDeepStrictEqual([old.name, old.segments, old.constraints], sent);
}
