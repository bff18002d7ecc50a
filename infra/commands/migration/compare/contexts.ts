import type { ClientAnswer, ClientConstraint, ClientFlag } from './client-answer.ts';
import { isSatisfied, type SdkContext, sdkContext } from './sdk-engine.ts';
import { valuesAround } from './values-around.ts';

type Values = ReadonlyMap<string, string | undefined>;
type ClientStrategy = ClientFlag['strategies'][number];

export const usersMax = 1_000;
/** The most turning points of one strategy, however many constraints it has. */
const ofStrategyMax = 60;

/**
 * Contexts for which a flag is evaluated: those by which the decision may turn, and users in them, some of a thousand from
 * a first one on.
 */
export function contextsOf(flag: ClientFlag, answer: ClientAnswer, firstUser: number, count: number): SdkContext[] {
  const points = turningPoints(flag, answer);
  const turning = spread(points, Math.ceil(count / 2)).map(sdkContext);
  const asking = Math.min(usersMax, count - turning.length);
  const users = Array.from({ length: asking }, (_, index) => {
    const user = `user-${(firstUser + index) % usersMax}`;
    const point = points[index % points.length] ?? new Map();
    return sdkContext(new Map([...point, ['userId', user], ['sessionId', `session of ${user}`]]));
  });
  return [...turning, ...users];
}

/** Entries from all over a list, so many at most. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return all.filter(
    (_, index) => Math.floor((index * most) / all.length) !== Math.floor(((index - 1) * most) / all.length),
  );
}

/**
 * Values by which the decision about a flag may turn: for each of its strategies and those of its parents, values that
 * satisfy all constraints, and the same with one of them exchanged for one around a constraint.
 */
function turningPoints(flag: ClientFlag, answer: ClientAnswer): readonly Values[] {
  const parents = flag.dependencies.map(({ feature }) => answer.flags.get(feature));
  const strategies = [flag, ...parents].flatMap((each) => each?.strategies ?? []);
  const found = strategies.flatMap((strategy) => aroundStrategy(strategy, answer));
  return found.length === 0 ? [new Map()] : found;
}

function aroundStrategy(strategy: ClientStrategy, { segments }: ClientAnswer): readonly Values[] {
  const ofSegments = (strategy.segments ?? []).flatMap((id) => segments.get(id)?.constraints ?? []);
  const candidates = candidatesOf(strategy, [...strategy.constraints, ...ofSegments]);
  const satisfying = new Map(
    [...candidates].map(([field, { values, constraints }]) => [field, satisfyingValue(field, values, constraints)]),
  );
  const exchanged = [...candidates].flatMap(([field, { values }]) =>
    [...values].map((value) => new Map([...satisfying, [field, value]])),
  );
  return spread([satisfying, ...exchanged], ofStrategyMax);
}

function satisfyingValue(field: string, values: Candidates['values'], constraints: readonly ClientConstraint[]) {
  return [...values].find((value) => {
    const context = sdkContext(new Map([[field, value]]));
    return constraints.every((constraint) => isSatisfied(constraint, context));
  });
}

interface Candidates {
  readonly values: Set<string | undefined>;
  readonly constraints: ClientConstraint[];
}

/** The values to try of each field: those around its constraints, and those that parameters and overrides name. */
function candidatesOf(
  { parameters, variants }: ClientStrategy,
  constraints: readonly ClientConstraint[],
): ReadonlyMap<string, Candidates> {
  const candidates = new Map<string, Candidates>();
  function add(field: string, values: readonly (string | undefined)[], constraint?: ClientConstraint): void {
    const known = candidates.get(field) ?? { values: new Set(), constraints: [] };
    for (const value of values) known.values.add(value);
    if (constraint !== undefined) known.constraints.push(constraint);
    candidates.set(field, known);
  }
  for (const constraint of constraints) {
    // The SDK compares dates with the time of the context, whatever field a constraint names.
    const field = constraint.operator.startsWith('DATE_') ? 'currentTime' : constraint.contextName;
    add(field, valuesAround(constraint), constraint);
  }
  for (const [field, list] of Object.entries({ userId: parameters.userIds, remoteAddress: parameters.IPs })) {
    if (typeof list !== 'string') continue;
    const named = list.split(',').map((each) => each.trim().replace(/\/\d+$/, ''));
    add(field, [named[0], named.at(-1), `${named[0]}~`]);
  }
  for (const { contextName, values } of variants.flatMap(({ overrides }) => overrides)) {
    add(contextName, [values[0], `${values[0]}~`]);
  }
  return candidates;
}
