import type { ClientAnswer, ClientConstraint, ClientFlag } from './client-answer.ts';
import { buildSdkContext, isSatisfied, type SdkContext } from './sdk-engine.ts';
import { listValuesAround } from './values-around.ts';

type Values = ReadonlyMap<string, string | undefined>;
type ClientStrategy = ClientFlag['strategies'][number];

export const maxUsers = 1_000;
/** The maximum number of turning points of a strategy, however many constraints it has. */
const maxPerStrategy = 60;

/**
 * Builds contexts to evaluate a flag for: contexts at which the result may change, and users in those contexts. The users are taken
 * from user-0 to user-999, starting at `firstUser`.
 */
export function buildContexts(flag: ClientFlag, answer: ClientAnswer, firstUser: number, count: number): SdkContext[] {
  const points = findTurningPoints(flag, answer);
  const turning = sample(points, Math.ceil(count / 2)).map(buildSdkContext);
  const userCount = Math.min(maxUsers, count - turning.length);
  const users = Array.from({ length: userCount }, (_, index) => {
    const user = `user-${(firstUser + index) % maxUsers}`;
    const point = points[index % points.length] ?? new Map();
    return buildSdkContext(new Map([...point, ['userId', user], ['sessionId', `session of ${user}`]]));
  });
  return [...turning, ...users];
}

/** Returns at most `limit` entries, spread evenly over a list. */
function sample<T>(all: readonly T[], limit: number): readonly T[] {
  if (all.length <= limit) return all;
  return all.filter(
    (_, index) => Math.floor((index * limit) / all.length) !== Math.floor(((index - 1) * limit) / all.length),
  );
}

/**
 * Returns context values at which the result of a flag may change. For each of its strategies, and those of its parents: values that
 * satisfy all constraints, and the same values with one replaced by a value at or next to the limit of a constraint.
 */
function findTurningPoints(flag: ClientFlag, answer: ClientAnswer): readonly Values[] {
  const parents = flag.dependencies.map(({ feature }) => answer.flags.get(feature));
  const strategies = [flag, ...parents].flatMap((flagOrParent) => flagOrParent?.strategies ?? []);
  const points = strategies.flatMap((strategy) => findPointsOf(strategy, answer));
  return points.length === 0 ? [new Map()] : points;
}

function findPointsOf(strategy: ClientStrategy, { segments }: ClientAnswer): readonly Values[] {
  const segmentConstraints = (strategy.segments ?? []).flatMap((id) => segments.get(id)?.constraints ?? []);
  const candidates = collectCandidates(strategy, [...strategy.constraints, ...segmentConstraints]);
  const satisfying = new Map(
    [...candidates].map(([field, { values, constraints }]) => [field, findSatisfyingValue(field, values, constraints)]),
  );
  const variations = [...candidates].flatMap(([field, { values }]) =>
    [...values].map((value) => new Map([...satisfying, [field, value]])),
  );
  return sample([satisfying, ...variations], maxPerStrategy);
}

function findSatisfyingValue(field: string, values: Candidates['values'], constraints: readonly ClientConstraint[]) {
  return [...values].find((value) => {
    const context = buildSdkContext(new Map([[field, value]]));
    return constraints.every((constraint) => isSatisfied(constraint, context));
  });
}

interface Candidates {
  readonly values: Set<string | undefined>;
  readonly constraints: ClientConstraint[];
}

/** Collects the values to try for each field: those at and next to the limits of its constraints, and those in parameters and overrides. */
function collectCandidates(
  { parameters, variants }: ClientStrategy,
  constraints: readonly ClientConstraint[],
): ReadonlyMap<string, Candidates> {
  const candidates = new Map<string, Candidates>();
  function add(field: string, values: readonly (string | undefined)[], constraint?: ClientConstraint): void {
    const candidate = candidates.get(field) ?? { values: new Set(), constraints: [] };
    for (const value of values) candidate.values.add(value);
    if (constraint !== undefined) candidate.constraints.push(constraint);
    candidates.set(field, candidate);
  }
  for (const constraint of constraints) {
    // The SDK compares dates with the time of the context, even if the constraint names another field.
    const field = constraint.operator.startsWith('DATE_') ? 'currentTime' : constraint.contextName;
    add(field, listValuesAround(constraint), constraint);
  }
  for (const [field, list] of Object.entries({ userId: parameters.userIds, remoteAddress: parameters.IPs })) {
    if (typeof list !== 'string') continue;
    const entries = list.split(',').map((part) => part.trim().replace(/\/\d+$/, ''));
    // The `~` makes a value that is not in the list.
    add(field, [entries[0], entries.at(-1), `${entries[0]}~`]);
  }
  for (const { contextName, values } of variants.flatMap(({ overrides }) => overrides)) {
    // The `~` makes a value that is not in the list.
    add(contextName, [values[0], `${values[0]}~`]);
  }
  return candidates;
}
