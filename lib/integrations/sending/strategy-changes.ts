import { isDeepStrictEqual } from 'node:util';

type Content = Readonly<Record<string, unknown>> | null;

/** The most values of a list in a sentence. */
const shownMax = 5;

/** The words for operators; other operators are shown by their names. */
const operators: Readonly<Record<string, string>> = {
  IN: 'is one of',
  NOT_IN: 'is none of',
  STR_CONTAINS: 'contains',
  STR_STARTS_WITH: 'begins with',
  STR_ENDS_WITH: 'ends with',
  NUM_EQ: '=',
  NUM_GT: '>',
  NUM_GTE: '≥',
  NUM_LT: '<',
  NUM_LTE: '≤',
  DATE_AFTER: 'is after',
  DATE_BEFORE: 'is before',
  SEMVER_EQ: 'is version',
  SEMVER_GT: 'is a version above',
  SEMVER_LT: 'is a version below',
  REGEX: 'matches',
};

/** Describes each difference of a strategy in a few words. */
export function describeStrategyChanges(before: Content, after: Content): string[] {
  const [old, now] = [before ?? {}, after ?? {}];
  const [oldParameters, parameters] = [Object(old.parameters), Object(now.parameters)];
  const names = [...new Set([...Object.keys(oldParameters), ...Object.keys(parameters)])];
  return [
    describeDifference('title', old.title, now.title, plain),
    ...names.map((name) =>
      describeDifference(name, oldParameters[name], parameters[name], name === 'rollout' ? percent : plain),
    ),
    describeDifference('constraints', old.constraints, now.constraints, (list) =>
      describeList(list, describeConstraint),
    ),
    describeDifference('segments', old.segments, now.segments, (list) => describeList(list, plain)),
    describeDifference('variants', old.variants, now.variants, (list) => describeList(list, describeVariant)),
    ...(old.disabled !== now.disabled && typeof now.disabled === 'boolean'
      ? [now.disabled ? 'disabled' : 'enabled']
      : []),
  ].filter((text) => text !== undefined);
}

function describeDifference(
  name: string,
  old: unknown,
  now: unknown,
  show: (value: unknown) => string,
): string | undefined {
  if (isDeepStrictEqual(old, now) || (isNothing(old) && isNothing(now))) return undefined;
  const shown = (value: unknown) => (isNothing(value) ? 'none' : show(value));
  return `${name} from ${shown(old)} to ${shown(now)}`;
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const plain = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
const percent = (value: unknown) => `${plain(value)} %`;

function describeList(list: unknown, show: (value: unknown) => string): string {
  const all = [list].flat();
  const shown = all.slice(0, shownMax).map(show);
  return `[${[...shown, ...(all.length > shownMax ? [`${all.length - shownMax} more`] : [])].join(', ')}]`;
}

function describeConstraint(constraint: unknown): string {
  const { contextName, operator, values, value, inverted } = Object(constraint);
  const operand = isNothing(values) ? plain(value ?? '') : describeList(values, plain);
  return `${plain(contextName)} ${inverted ? 'not: ' : ''}${operators[operator] ?? plain(operator)} ${operand}`;
}

function describeVariant(variant: unknown): string {
  const { name, weight } = Object(variant);
  return `${plain(name)} ${Number(weight) / 10} %`;
}
