import { RE2JS } from 're2js';
import * as v from 'valibot';
import { compiledStepsMax, countSteps, tooManyStepsMessage } from '../../values/expression-steps.ts';
import { acceptScalars } from '../../values/primitives.ts';
import {
  buildConstraintSchema,
  constraintValuesMax,
  limitOfSegment,
  limitOfStrategy,
  segmentValuesMax,
} from './constraint-schema.ts';

/** The most characters of a regular expression. Compiling takes up to 50 µs per character. */
const patternLengthMax = 1_000;

/** A constraint in requests. */
export const constraintInput = buildConstraintSchema(constraintValuesMax, acceptScalars, findPatternProblem);
export const constraintsInput = v.pipe(v.array(constraintInput), limitOfStrategy);
export const segmentConstraintsInput = v.pipe(
  v.array(buildConstraintSchema(segmentValuesMax, acceptScalars, findPatternProblem)),
  limitOfSegment,
);

function findPatternProblem(pattern: string): string | undefined {
  if (pattern.length > patternLengthMax) return `A regular expression has at most ${patternLengthMax} characters.`;
  const steps = countSteps(pattern);
  if (steps > compiledStepsMax) return tooManyStepsMessage('a constraint', steps, compiledStepsMax);
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    const [, reason] = /^error parsing regexp: (.*)/s.exec(String((error as Error).message)) ?? [];
    return `REGEX needs a regular expression that RE2 accepts${reason === undefined ? '' : `: ${reason}`}.`;
  }
}
