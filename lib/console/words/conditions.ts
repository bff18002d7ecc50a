import { conditionValues } from '../../delivery/preview/condition-values.ts';
import type { Constraint } from '../../features/strategies/constraint-schema.ts';

/** The words of each operator: with one value, and with several. */
const operators: Readonly<Record<Constraint['operator'], readonly [one: string, several: string]>> = {
  IN: ['is', 'is one of'],
  NOT_IN: ['is not', 'is none of'],
  STR_STARTS_WITH: ['starts with', 'starts with one of'],
  STR_ENDS_WITH: ['ends with', 'ends with one of'],
  STR_CONTAINS: ['contains', 'contains one of'],
  NUM_EQ: ['=', '='],
  NUM_GT: ['>', '>'],
  NUM_GTE: ['≥', '≥'],
  NUM_LT: ['<', '<'],
  NUM_LTE: ['≤', '≤'],
  DATE_AFTER: ['is after', 'is after'],
  DATE_BEFORE: ['is before', 'is before'],
  SEMVER_EQ: ['is version', 'is version'],
  SEMVER_GT: ['is newer than', 'is newer than'],
  SEMVER_GTE: ['is at least', 'is at least'],
  SEMVER_LT: ['is older than', 'is older than'],
  SEMVER_LTE: ['is at most', 'is at most'],
  REGEX: ['matches', 'matches'],
  IN_CIDR: ['is in', 'is in one of'],
};

/** Returns the words between the field and the values of a condition: "is one of", "not: starts with". */
export function describeOperator(condition: Constraint): string {
  const [one, several] = operators[condition.operator] ?? [condition.operator, condition.operator];
  const words = conditionValues(condition).length > 1 ? several : one;
  return condition.inverted ? `not: ${words}` : words;
}

/** Writes a condition as a sentence: "plan is one of business, enterprise". @internal */
export function describeCondition(condition: Constraint): string {
  return `${condition.contextName} ${describeOperator(condition)} ${conditionValues(condition).join(', ')}`;
}

/** Operators with their words, for a list to choose from. */
export const operatorChoices = Object.entries(operators).map(([operator, [, several]]) => ({
  operator: operator as Constraint['operator'],
  words: several,
}));
