import type { SemVer } from 'semver';
import parseVersion from 'semver/functions/parse.js';
import { isInRanges } from '../../values/ip-ranges.ts';
import { type ContextCondition, lowercaseIn } from './context.ts';
import { matchesExpression, workOfExpression } from './expression.ts';

/** The part of a constraint that evaluation reads. */
export interface EvaluableConstraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly value?: string;
  readonly caseInsensitive?: boolean;
  readonly inverted?: boolean;
}

/** An operator, and the nanoseconds that its constraints take for each character of a text. */
interface Operator {
  readonly conditionOf: (constraint: EvaluableConstraint, work: number) => ContextCondition;
  readonly workOf?: (constraint: EvaluableConstraint) => number;
}

const operators = new Map<string, Operator>([
  ['IN', { conditionOf: isListed }],
  ['NOT_IN', { conditionOf: (constraint) => not(isListed(constraint)) }],
  ['STR_STARTS_WITH', forTexts(6, (text, value) => text.startsWith(value))],
  ['STR_ENDS_WITH', forTexts(6, (text, value) => text.endsWith(value))],
  ['STR_CONTAINS', forTexts(10, (text, value) => text.includes(value), Number.POSITIVE_INFINITY)],
  ['NUM_EQ', forNumbers((number, value) => number === value)],
  ['NUM_GT', forNumbers((number, value) => number > value)],
  ['NUM_GTE', forNumbers((number, value) => number >= value)],
  ['NUM_LT', forNumbers((number, value) => number < value)],
  ['NUM_LTE', forNumbers((number, value) => number <= value)],
  ['DATE_AFTER', forDates((time, value) => time > value)],
  ['DATE_BEFORE', forDates((time, value) => time < value)],
  ['SEMVER_EQ', forVersions((order) => order === 0)],
  ['SEMVER_GT', forVersions((order) => order > 0)],
  ['SEMVER_GTE', forVersions((order) => order >= 0)],
  ['SEMVER_LT', forVersions((order) => order < 0)],
  ['SEMVER_LTE', forVersions((order) => order <= 0)],
  ['REGEX', { conditionOf: matchesExpression, workOf: workOfExpression }],
  ['IN_CIDR', { conditionOf: isInOneOf }],
]);

/**
 * Returns the condition that a constraint stands for; all that does not depend on the context is read here. An unknown
 * operator never holds, inverted or not.
 */
export function conditionOf(constraint: EvaluableConstraint): ContextCondition {
  const operator = operators.get(constraint.operator);
  if (operator === undefined) return () => false;
  const holds = operator.conditionOf(constraint, workOf(constraint));
  return constraint.inverted ? not(holds) : holds;
}

/** Returns the nanoseconds that a constraint takes at worst for each character of a text; 0 where its length hardly matters. */
export function workOf(constraint: EvaluableConstraint): number {
  return operators.get(constraint.operator)?.workOf?.(constraint) ?? 0;
}

function not(condition: ContextCondition): ContextCondition {
  return (context) => !condition(context);
}

/**
 * A condition on a text that the context must have.
 * @param workPerCharacter the nanoseconds that it takes for each character.
 * @param readMax the most characters that it reads.
 */
function forText(
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

/** Spaces around a value, and values of nothing else, are mistakes in writing. */
function cleaned(values: readonly string[] = []): string[] {
  return values.filter((value) => value !== '').map((value) => value.trim());
}

function isListed({ contextName, values }: EvaluableConstraint): ContextCondition {
  const listed = new Set(cleaned(values));
  return forText(contextName, 0, (text) => listed.has(text));
}

/** Nanoseconds for each range, whatever the address. */
const workPerRange = 20;

function isInOneOf({ contextName, values }: EvaluableConstraint): ContextCondition {
  const ranges = cleaned(values);
  const isIn = isInRanges(ranges);
  return ({ values: sent, budget }) => {
    const text = sent.get(contextName);
    if (text === undefined) return false;
    budget.spend(workPerRange * ranges.length);
    return isIn(text);
  };
}

/**
 * @param workPerValue the nanoseconds that a value takes for each character of a text.
 * @param readMax the most characters of a text that are compared with a value: by default, as many as it has.
 */
function forTexts(workPerValue: number, holds: (text: string, value: string) => boolean, readMax?: number): Operator {
  return {
    workOf: ({ values = [] }) => workPerValue * values.length,
    conditionOf: ({ contextName, values, caseInsensitive }, work) => {
      const wanted = cleaned(values).map((value) => (caseInsensitive ? value.toLowerCase() : value));
      const read = readMax ?? Math.max(0, ...wanted.map(({ length }) => length));
      return (context) => {
        const text = context.values.get(contextName);
        if (text === undefined) return false;
        // It may be longer in lowercase.
        const sent = caseInsensitive ? lowercaseIn(context, text) : text;
        context.budget.spend(work * Math.min(sent.length, read));
        return wanted.some((value) => holds(sent, value));
      };
    },
  };
}

/** Nothing holds for a text that is no number: it is not equal to any, nor more or less. */
function forNumbers(holds: (number: number, value: number) => boolean): Operator {
  return {
    workOf: () => 8,
    conditionOf: ({ contextName, value }, work) => {
      const wanted = Number(value);
      return forText(contextName, work, (text) => holds(Number(text), wanted));
    },
  };
}

/** Dates are compared with the time of the context, whatever field the constraint names. */
function forDates(holds: (time: number, value: number) => boolean): Operator {
  return {
    conditionOf: ({ value = '' }) => {
      const wanted = Date.parse(value);
      return ({ currentTime }) => holds(currentTime, wanted);
    },
  };
}

/** A longer text is no version, which is seen by its length. */
const versionLengthMax = 256;

function forVersions(holds: (order: number) => boolean): Operator {
  return {
    workOf: () => 120,
    conditionOf: ({ contextName, value }, work) => {
      const wanted = parseVersion(value);
      if (wanted === null) return () => false;
      return forText(
        contextName,
        work,
        (text) => {
          const version: SemVer | null = text.startsWith('v') ? null : parseVersion(text);
          return version !== null && holds(version.compare(wanted));
        },
        versionLengthMax,
      );
    },
  };
}
