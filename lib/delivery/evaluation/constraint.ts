import type { SemVer } from 'semver';
import parseVersion from 'semver/functions/parse.js';
import { buildRangeMatcher } from '../../values/ip-ranges.ts';
import { type ContextCondition, toLowerCase } from './context.ts';
import { buildExpressionCondition, workOfExpression } from './expression.ts';

/** The part of a constraint that evaluation reads. */
export interface EvaluableConstraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly value?: string;
  readonly caseInsensitive?: boolean;
  readonly inverted?: boolean;
}

/** An operator. `workOf` returns the nanoseconds that a constraint takes for each character of a text. */
interface Operator {
  readonly buildCondition: (constraint: EvaluableConstraint, work: number) => ContextCondition;
  readonly workOf?: (constraint: EvaluableConstraint) => number;
}

const operators = new Map<string, Operator>([
  ['IN', { buildCondition: inValues }],
  ['NOT_IN', { buildCondition: (constraint) => not(inValues(constraint)) }],
  ['STR_STARTS_WITH', compareTexts(6, (text, value) => text.startsWith(value))],
  ['STR_ENDS_WITH', compareTexts(6, (text, value) => text.endsWith(value))],
  ['STR_CONTAINS', compareTexts(10, (text, value) => text.includes(value), Number.POSITIVE_INFINITY)],
  ['NUM_EQ', compareNumbers((number, value) => number === value)],
  ['NUM_GT', compareNumbers((number, value) => number > value)],
  ['NUM_GTE', compareNumbers((number, value) => number >= value)],
  ['NUM_LT', compareNumbers((number, value) => number < value)],
  ['NUM_LTE', compareNumbers((number, value) => number <= value)],
  ['DATE_AFTER', compareDates((time, value) => time > value)],
  ['DATE_BEFORE', compareDates((time, value) => time < value)],
  ['SEMVER_EQ', compareVersions((order) => order === 0)],
  ['SEMVER_GT', compareVersions((order) => order > 0)],
  ['SEMVER_GTE', compareVersions((order) => order >= 0)],
  ['SEMVER_LT', compareVersions((order) => order < 0)],
  ['SEMVER_LTE', compareVersions((order) => order <= 0)],
  ['REGEX', { buildCondition: buildExpressionCondition, workOf: workOfExpression }],
  ['IN_CIDR', { buildCondition: inRanges }],
]);

/**
 * Builds the condition of a constraint, and parses everything that does not depend on the context. A constraint with an unknown
 * operator never holds, not even inverted.
 */
export function buildCondition(constraint: EvaluableConstraint): ContextCondition {
  const operator = operators.get(constraint.operator);
  if (operator === undefined) return () => false;
  const holds = operator.buildCondition(constraint, workOf(constraint));
  return constraint.inverted ? not(holds) : holds;
}

/** Returns the nanoseconds that a constraint takes at worst for each character of a text; 0 if the length hardly matters. */
export function workOf(constraint: EvaluableConstraint): number {
  return operators.get(constraint.operator)?.workOf?.(constraint) ?? 0;
}

function not(condition: ContextCondition): ContextCondition {
  return (context) => !condition(context);
}

/**
 * Builds a condition on a field of the context. Without the field, it does not hold.
 * @param workPerCharacter nanoseconds for each character of the text.
 * @param readMax the most characters that are read.
 */
function testText(
  contextName: string,
  workPerCharacter: number,
  holds: (text: string) => boolean,
  readMax = Number.POSITIVE_INFINITY,
): ContextCondition {
  return ({ values, budget }) => {
    const text = values.get(contextName);
    if (text === undefined) return false;
    budget.spend(workPerCharacter * Math.min(text.length, readMax));
    return holds(text);
  };
}

/** Removes blanks around values, and empty values, which are typos. */
function trimValues(values: readonly string[] = []): string[] {
  return values.filter((value) => value !== '').map((value) => value.trim());
}

function inValues({ contextName, values }: EvaluableConstraint): ContextCondition {
  const trimmed = new Set(trimValues(values));
  return testText(contextName, 0, (text) => trimmed.has(text));
}

/** Nanoseconds for each range, independent of the address. */
const workPerRange = 20;

function inRanges({ contextName, values }: EvaluableConstraint): ContextCondition {
  const ranges = trimValues(values);
  const isIn = buildRangeMatcher(ranges);
  return ({ values: fields, budget }) => {
    const text = fields.get(contextName);
    if (text === undefined) return false;
    budget.spend(workPerRange * ranges.length);
    return isIn(text);
  };
}

/**
 * Builds an operator that compares texts.
 * @param workPerValue nanoseconds that each value takes for each character of a text.
 * @param readMax the most characters of a text that are compared: by default, as many as the longest value has.
 */
function compareTexts(
  workPerValue: number,
  holds: (text: string, value: string) => boolean,
  readMax?: number,
): Operator {
  return {
    workOf: ({ values = [] }) => workPerValue * values.length,
    buildCondition: ({ contextName, values, caseInsensitive }, work) => {
      const operands = trimValues(values).map((value) => (caseInsensitive ? value.toLowerCase() : value));
      const read = readMax ?? Math.max(0, ...operands.map(({ length }) => length));
      return (context) => {
        const text = context.values.get(contextName);
        if (text === undefined) return false;
        // Lower case may be longer, so it is counted after the conversion.
        const compared = caseInsensitive ? toLowerCase(context, text) : text;
        context.budget.spend(work * Math.min(compared.length, read));
        return operands.some((value) => holds(compared, value));
      };
    },
  };
}

/** Compares numbers. For a text that is not a number, no comparison holds. */
function compareNumbers(holds: (number: number, value: number) => boolean): Operator {
  return {
    workOf: () => 8,
    buildCondition: ({ contextName, value }, work) => {
      const operand = Number(value);
      return testText(contextName, work, (text) => holds(Number(text), operand));
    },
  };
}

/** Compares dates with `currentTime` of the context, even if the constraint names another field, as SDKs do. */
function compareDates(holds: (time: number, value: number) => boolean): Operator {
  return {
    buildCondition: ({ value = '' }) => {
      const operand = Date.parse(value);
      return ({ currentTime }) => holds(currentTime, operand);
    },
  };
}

/** The most characters of a version. */
const versionLengthMax = 256;

function compareVersions(holds: (order: number) => boolean): Operator {
  return {
    workOf: () => 120,
    buildCondition: ({ contextName, value }, work) => {
      const operand = parseVersion(value);
      if (operand === null) return () => false;
      return testText(
        contextName,
        work,
        (text) => {
          const version: SemVer | null = text.startsWith('v') ? null : parseVersion(text);
          return version !== null && holds(version.compare(operand));
        },
        versionLengthMax,
      );
    },
  };
}
