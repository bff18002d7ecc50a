import { hostname } from 'node:os';
import { isInRanges } from '../../values/ip-ranges.ts';
import type { ContextCondition, EvaluationContext } from './context.ts';
import { rolloutPositions } from './normalized-hash.ts';

type Parameters = Readonly<Record<string, string>>;

/** The strategy type that depends on the host of the application. */
export const byHost = 'applicationHostname';

const types = new Map<string, (parameters: Parameters) => ContextCondition>([
  ['default', () => () => true],
  ['userWithId', forUsers],
  ['remoteAddress', forAddresses],
  [byHost, forHosts],
  ['flexibleRollout', ({ rollout, groupId, stickiness }) => forShare(rollout, groupId, idBy(stickiness))],
  ['gradualRolloutUserId', ({ percentage, groupId }) => forShare(percentage, groupId, ({ userId }) => userId)],
  ['gradualRolloutSessionId', ({ percentage, groupId }) => forShare(percentage, groupId, ({ sessionId }) => sessionId)],
  ['gradualRolloutRandom', forSome],
]);

/**
 * Returns the condition under which a strategy of a type is on, by its parameters alone; undefined for a type that only
 * the application itself knows.
 */
export function activationOf(type: string, parameters: Parameters): ContextCondition | undefined {
  return types.get(type)?.(parameters);
}

/** The blanks around commas do not count. A pattern of them would take a time that grows as the square of a run of blanks. */
function listed(text: string | undefined): string[] {
  if (!text) return [];
  const parts = text.split(',');
  return parts.map((part, index) => {
    const begun = index > 0 ? part.trimStart() : part;
    return index < parts.length - 1 ? begun.trimEnd() : begun;
  });
}

function forUsers({ userIds }: Parameters): ContextCondition {
  const ids = new Set(listed(userIds));
  return ({ userId }) => userId !== undefined && ids.has(userId);
}

/** An address is compared as text, too, so that it need not be one. */
function forAddresses({ IPs }: Parameters): ContextCondition {
  const addresses = listed(IPs);
  const isInRange = isInRanges(addresses);
  return ({ remoteAddress }) =>
    remoteAddress !== undefined && (addresses.includes(remoteAddress) || isInRange(remoteAddress));
}

function forHosts({ hostNames }: Parameters): ContextCondition {
  const isHere = listed(hostNames?.toLowerCase()).includes((process.env.HOSTNAME || hostname()).toLowerCase());
  return () => isHere;
}

function forSome({ percentage }: Parameters): ContextCondition {
  return () => Number(percentage) >= Math.floor(Math.random() * 100) + 1;
}

/** A share of all who have an id. */
function forShare(
  percentage: string | undefined,
  groupId: string | undefined,
  idOf: (context: EvaluationContext) => string | undefined,
): ContextCondition {
  const share = Number(percentage);
  const positionOf = rolloutPositions(groupId ?? '');
  return (context) => {
    const id = idOf(context);
    if (id === undefined || id === '') return false;
    // Most rollouts have come to all: then nobody's place matters.
    return share >= 100 || positionOf(id, context.budget) <= share;
  };
}

function idBy(stickiness = ''): (context: EvaluationContext) => string | undefined {
  if (stickiness === 'random') return () => String(Math.random());
  if (stickiness !== '' && stickiness !== 'default') return ({ values }) => values.get(stickiness);
  return ({ userId, sessionId, randomId }) => userId || sessionId || randomId;
}
