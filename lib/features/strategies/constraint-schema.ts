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

/** The limits of a strategy and of a constraint, as on Unleash. */
export const constraintsMax = 30;
export const constraintValuesMax = 250;

/**
 * Builds the schema of a constraint whose operator accepts its values.
 * @param findPatternProblem returns the problem of a regular expression, if any.
 */
export function buildConstraintSchema(
  valuesMax: number,
  forms: TextForms,
  findPatternProblem: (pattern: string) => string | undefined = () => undefined,
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
      const problem = findOperandProblem(dataset.value, findPatternProblem);
      if (problem !== undefined) addIssue({ message: problem });
    }),
  );
}

/** A constraint in the store and in replies. */
export const constraint = buildConstraintSchema(constraintValuesMax, acceptTextOnly);
export type Constraint = v.InferOutput<typeof constraint>;

export const limitOfStrategy = v.maxLength<Constraint[], number, string>(
  constraintsMax,
  `A strategy has at most ${constraintsMax} constraints.`,
);
export const constraints = v.pipe(v.array(constraint), limitOfStrategy);

/** The most values of a segment in all its constraints together, as on Unleash. */
export const segmentValuesMax = 1000;

export const limitOfSegment = v.check<Constraint[], string>(
  (constraints) => constraints.reduce((sum, { values }) => sum + values.length, 0) <= segmentValuesMax,
  `A segment has at most ${segmentValuesMax} values.`,
);

/** The constraints of a segment; each can have more values than a constraint of a strategy. */
export const segmentConstraints = v.pipe(
  v.array(buildConstraintSchema(segmentValuesMax, acceptTextOnly)),
  limitOfSegment,
);

/** Returns the operands of a constraint. Clients also send an empty `value` together with `values`. */
export function operandsOf({ operator, value = '', values }: Constraint): readonly string[] {
  return takesList(operator) ? values : [value];
}

function takesList(operator: Constraint['operator']): boolean {
  return isOneOf(listOperators, operator) || isOneOf(rangeOperators, operator);
}

function findOperandProblem(
  { operator, value, values }: Constraint,
  findPatternProblem: (pattern: string) => string | undefined,
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
  if (isOneOf(patternOperators, operator)) return findPatternProblem(value);
  return isVersion(value) ? undefined : `${operator} needs a version such as 1.2.3 or 1.2.3-beta.1.`;
}

function isOneOf<T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}

/**
 * Tells whether a text is a decimal number. An integer must be exact, since SDKs would compare with another number. The
 * pattern takes linear time.
 */
function isNumber(value: string): boolean {
  if (!/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return false;
  const number = Number(value);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

/** Accepts ISO 8601, RFC 2822 and milliseconds since 1970. Date.parse alone would read "version 7" as a day in July. */
function isDate(value: string): boolean {
  if (/^-?\d{5,16}$/.test(value)) return Number.isFinite(new Date(Number(value)).getTime());
  return /^\d{4}(-|$)|^([A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4}/.test(value) && !Number.isNaN(Date.parse(value));
}

/** Accepts Semantic Versioning 2.0.0 without build metadata, which precedence ignores. */
function isVersion(value: string): boolean {
  const number = '(0|[1-9]\\d*)';
  const identifier = '(0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
  return new RegExp(`^${number}\\.${number}\\.${number}(-${identifier}(\\.${identifier})*)?$`).test(value);
}
