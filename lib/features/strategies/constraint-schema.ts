import * as v from 'valibot';
import { isIpRange } from '../../values/ip-ranges.ts';
import {
  acceptTextOnly,
  boolean,
  nonEmptyText,
  object,
  type TextForms,
  text,
  textOfLength,
} from '../../values/primitives.ts';

const listOperators = ['NOT_IN', 'IN', 'STR_ENDS_WITH', 'STR_STARTS_WITH', 'STR_CONTAINS'] as const;
const numberOperators = ['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'] as const;
const dateOperators = ['DATE_AFTER', 'DATE_BEFORE'] as const;
const versionOperators = ['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'] as const;
const patternOperators = ['REGEX'] as const;
const rangeOperators = ['IN_CIDR'] as const;

/** Limits of one strategy and one constraint, as Unleash sets them. */
export const constraintsMax = 30;
export const constraintValuesMax = 250;

/**
 * A constraint whose value, or values, its operator can use.
 * @param patternProblem returns what is wrong with a regular expression.
 */
export function constraintOf(
  valuesMax: number,
  forms: TextForms,
  patternProblem: (pattern: string) => string | undefined = () => undefined,
) {
  return v.pipe(
    object({
      contextName: nonEmptyText,
      operator: v.picklist([
        ...listOperators,
        ...numberOperators,
        ...dateOperators,
        ...versionOperators,
        ...patternOperators,
        ...rangeOperators,
      ]),
      caseInsensitive: v.exactOptional(boolean),
      inverted: v.exactOptional(boolean),
      values: v.optional(
        v.pipe(
          v.array(forms(textOfLength(1, 100))),
          v.maxLength(valuesMax, `A constraint has at most ${valuesMax} values.`),
        ),
        () => [],
      ),
      value: v.exactOptional(forms(text)),
    }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const problem = operandProblem(dataset.value, patternProblem);
      if (problem !== undefined) addIssue({ message: problem });
    }),
  );
}

/** Constraint in the store and in replies. */
export const constraint = constraintOf(constraintValuesMax, acceptTextOnly);
export type Constraint = v.InferOutput<typeof constraint>;

export const ofStrategy = v.maxLength<Constraint[], number, string>(
  constraintsMax,
  `A strategy has at most ${constraintsMax} constraints.`,
);
export const constraints = v.pipe(v.array(constraint), ofStrategy);

/** Unleash's limit of the values of a segment, all its constraints taken together. */
export const segmentValuesMax = 1000;

export const ofSegment = v.check<Constraint[], string>(
  (all) => all.reduce((sum, each) => sum + each.values.length, 0) <= segmentValuesMax,
  `A segment has at most ${segmentValuesMax} values.`,
);

/** The constraints of a segment. Each may hold more values than one of a strategy. */
export const segmentConstraints = v.pipe(v.array(constraintOf(segmentValuesMax, acceptTextOnly)), ofSegment);

/** Returns the operands that the operator of a constraint reads; clients send an empty `value` beside `values`, too. */
export function operandsOf({ operator, value = '', values }: Constraint): readonly string[] {
  return takesList(operator) ? values : [value];
}

function takesList(operator: Constraint['operator']): boolean {
  return isOneOf(listOperators, operator) || isOneOf(rangeOperators, operator);
}

function operandProblem(
  { operator, value, values }: Constraint,
  patternProblem: (pattern: string) => string | undefined,
): string | undefined {
  if (takesList(operator)) {
    if (values.length === 0) return `${operator} needs at least one value in values.`;
    return isOneOf(listOperators, operator) || values.every(isIpRange)
      ? undefined
      : `${operator} needs IP addresses, or ranges such as 10.0.0.0/8, in values.`;
  }
  if (value === undefined) return `${operator} needs a value.`;
  if (isOneOf(numberOperators, operator)) return isNumber(value) ? undefined : `${operator} needs a number.`;
  if (isOneOf(dateOperators, operator)) return isDate(value) ? undefined : `${operator} needs a date.`;
  if (isOneOf(patternOperators, operator)) return patternProblem(value);
  return isVersion(value) ? undefined : `${operator} needs a version such as 1.2.3 or 1.2.3-beta.1.`;
}

function isOneOf<T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}

/**
 * Tells whether a text is a decimal number, by a pattern that reads no digit twice, however many there are. Whole ones
 * must be exact, since an SDK would compare with another number otherwise.
 */
function isNumber(value: string): boolean {
  if (!/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return false;
  const number = Number(value);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

/** ISO 8601, RFC 2822 or milliseconds since 1970; Date.parse alone would take "version 7" for a day in July. */
function isDate(value: string): boolean {
  if (/^-?\d{5,16}$/.test(value)) return Number.isFinite(new Date(Number(value)).getTime());
  return /^\d{4}(-|$)|^([A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4}/.test(value) && !Number.isNaN(Date.parse(value));
}

/** Semantic Versioning 2.0.0 without build metadata, which has no part in precedence. */
function isVersion(value: string): boolean {
  const number = '(0|[1-9]\\d*)';
  const identifier = '(0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
  return new RegExp(`^${number}\\.${number}\\.${number}(-${identifier}(\\.${identifier})*)?$`).test(value);
}
