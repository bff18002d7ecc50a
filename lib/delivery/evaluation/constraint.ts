import { RE2JS } from 're2js';
import type { SemVer } from 'semver';
import parseVersion from 'semver/functions/parse.js';
import { isInRanges } from '../../values/ip-ranges.ts';
import { onceFor } from '../../values/memory.ts';
import type { ContextCondition } from './context.ts';

/** The part of a constraint that evaluation reads. */
export interface EvaluableConstraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly value?: string;
  readonly caseInsensitive?: boolean;
  readonly inverted?: boolean;
}

type Operator = (constraint: EvaluableConstraint) => ContextCondition;

const operators = new Map<string, Operator>([
  ['IN', isListed],
  ['NOT_IN', (constraint) => not(isListed(constraint))],
  ['STR_STARTS_WITH', forTexts((text, value) => text.startsWith(value))],
  ['STR_ENDS_WITH', forTexts((text, value) => text.endsWith(value))],
  ['STR_CONTAINS', forTexts((text, value) => text.includes(value))],
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
  ['REGEX', matches],
  ['IN_CIDR', ({ contextName, values }) => forText(contextName, isInRanges(cleaned(values)))],
]);

/**
 * Returns the condition that a constraint stands for; all that does not depend on the context is read here. An unknown
 * operator never holds, inverted or not.
 */
export function conditionOf(constraint: EvaluableConstraint): ContextCondition {
  const operator = operators.get(constraint.operator);
  if (operator === undefined) return () => false;
  const holds = operator(constraint);
  return constraint.inverted ? not(holds) : holds;
}

function not(condition: ContextCondition): ContextCondition {
  return (context) => !condition(context);
}

/** A condition on a text that the context must have. */
function forText(contextName: string, holds: (text: string) => boolean): ContextCondition {
  return ({ values }) => {
    const text = values.get(contextName);
    return text !== undefined && holds(text);
  };
}

/** Spaces around a value, and values of nothing else, are mistakes in writing. */
function cleaned(values: readonly string[] = []): string[] {
  return values.filter((value) => value !== '').map((value) => value.trim());
}

function isListed({ contextName, values }: EvaluableConstraint): ContextCondition {
  const listed = new Set(cleaned(values));
  return forText(contextName, (text) => listed.has(text));
}

function forTexts(holds: (text: string, value: string) => boolean): Operator {
  return ({ contextName, values, caseInsensitive }) => {
    const written = (text: string) => (caseInsensitive ? text.toLowerCase() : text);
    const wanted = cleaned(values).map(written);
    return forText(contextName, (text) => {
      const sent = written(text);
      return wanted.some((value) => holds(sent, value));
    });
  };
}

/** Nothing holds for a text that is no number: it is not equal to any, nor more or less. */
function forNumbers(holds: (number: number, value: number) => boolean): Operator {
  return ({ contextName, value }) => {
    const wanted = Number(value);
    return forText(contextName, (text) => holds(Number(text), wanted));
  };
}

/** Dates are compared with the time of the context, whatever field the constraint names. */
function forDates(holds: (time: number, value: number) => boolean): Operator {
  return ({ value = '' }) => {
    const wanted = Date.parse(value);
    return ({ currentTime }) => holds(currentTime, wanted);
  };
}

function forVersions(holds: (order: number) => boolean): Operator {
  return ({ contextName, value }) => {
    const wanted = parseVersion(value);
    if (wanted === null) return () => false;
    return forText(contextName, (text) => {
      const version: SemVer | null = text.startsWith('v') ? null : parseVersion(text);
      return version !== null && holds(version.compare(wanted));
    });
  };
}

function matches(constraint: EvaluableConstraint): ContextCondition {
  const pattern = patternOf(constraint);
  return pattern === undefined ? () => false : forText(constraint.contextName, (text) => pattern.matcher(text).find());
}

/**
 * The regular expression of a constraint; undefined where it is none. RE2 takes long to compile one, so that it is kept
 * for as long as the constraint stays the same.
 */
const patternOf = onceFor(({ value, caseInsensitive }: EvaluableConstraint): RE2JS | undefined => {
  try {
    return RE2JS.compile(String(value), caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    return undefined;
  }
});
