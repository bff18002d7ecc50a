import { isDeepStrictEqual } from 'node:util';

type Content = Readonly<Record<string, unknown>> | null;

/** The most values of a list that a sentence names. */
const shownMax = 5;

/** Names of operators in sentences; of others, the name itself is shown. */
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

/** Describes the differences of a strategy before and after a change, each in a few words. */
export function strategyChanges(before: Content, after: Content): string[] {
  const [old, now] = [before ?? {}, after ?? {}];
  const [oldParameters, parameters] = [Object(old.parameters), Object(now.parameters)];
  const names = [...new Set([...Object.keys(oldParameters), ...Object.keys(parameters)])];
  return [
    difference('title', old.title, now.title, plain),
    ...names.map((name) =>
      difference(name, oldParameters[name], parameters[name], name === 'rollout' ? percent : plain),
    ),
    difference('constraints', old.constraints, now.constraints, (list) => listed(list, constraintText)),
    difference('segments', old.segments, now.segments, (list) => listed(list, plain)),
    difference('variants', old.variants, now.variants, (list) => listed(list, variantText)),
    ...(old.disabled !== now.disabled && typeof now.disabled === 'boolean'
      ? [now.disabled ? 'disabled' : 'enabled']
      : []),
  ].filter((text) => text !== undefined);
}

function difference(name: string, old: unknown, now: unknown, show: (value: unknown) => string): string | undefined {
  if (isDeepStrictEqual(old, now) || (isNothing(old) && isNothing(now))) return undefined;
  const shown = (value: unknown) => (isNothing(value) ? 'none' : show(value));
  return `${name} from ${shown(old)} to ${shown(now)}`;
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const plain = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
const percent = (value: unknown) => `${plain(value)} %`;

function listed(list: unknown, show: (value: unknown) => string): string {
  const all = [list].flat();
  const shown = all.slice(0, shownMax).map(show);
  return `[${[...shown, ...(all.length > shownMax ? [`${all.length - shownMax} more`] : [])].join(', ')}]`;
}

function constraintText(constraint: unknown): string {
  const { contextName, operator, values, value, inverted } = Object(constraint);
  const operand = isNothing(values) ? plain(value ?? '') : listed(values, plain);
  return `${plain(contextName)} ${inverted ? 'not: ' : ''}${operators[operator] ?? plain(operator)} ${operand}`;
}

function variantText(variant: unknown): string {
  const { name, weight } = Object(variant);
  return `${plain(name)} ${Number(weight) / 10} %`;
}
