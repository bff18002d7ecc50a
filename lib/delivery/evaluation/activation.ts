import { hostname } from 'node:os';
import { buildRangeMatcher } from '../../values/ip-ranges.ts';
import type { ContextCondition, EvaluationContext } from './context.ts';
import { buildRolloutPosition } from './normalized-hash.ts';

type Parameters = Readonly<Record<string, string>>;

/** The strategy type that depends on the host on which the application runs. */
export const hostStrategy = 'applicationHostname';

const types = new Map<string, (parameters: Parameters) => ContextCondition>([
  ['default', () => () => true],
  ['userWithId', inUserList],
  ['remoteAddress', inAddressList],
  [hostStrategy, onHosts],
  ['flexibleRollout', ({ rollout, groupId, stickiness }) => inStickyShare(rollout, groupId, stickyIdOf(stickiness))],
  ['gradualRolloutUserId', ({ percentage, groupId }) => inStickyShare(percentage, groupId, ({ userId }) => userId)],
  [
    'gradualRolloutSessionId',
    ({ percentage, groupId }) => inStickyShare(percentage, groupId, ({ sessionId }) => sessionId),
  ],
  ['gradualRolloutRandom', inRandomShare],
]);

/**
 * Builds the condition under which a strategy is on by its type and parameters, without its constraints and segments.
 * @returns undefined for a custom type, which only the application knows.
 */
export function buildActivation(type: string, parameters: Parameters): ContextCondition | undefined {
  return types.get(type)?.(parameters);
}

/**
 * Splits a list at its commas, and removes the blanks around them. It does so without a regular expression, whose time would
 * grow with the square of the number of blanks.
 */
function splitList(text: string | undefined): string[] {
  if (!text) return [];
  const parts = text.split(',');
  return parts.map((part, index) => {
    const trimmed = index > 0 ? part.trimStart() : part;
    return index < parts.length - 1 ? trimmed.trimEnd() : trimmed;
  });
}

function inUserList({ userIds }: Parameters): ContextCondition {
  const ids = new Set(splitList(userIds));
  return ({ userId }) => userId !== undefined && ids.has(userId);
}

/** Compares an address with ranges, and with all entries as text, since an entry may be any text. */
function inAddressList({ IPs }: Parameters): ContextCondition {
  const addresses = splitList(IPs);
  const isInRange = buildRangeMatcher(addresses);
  return ({ remoteAddress }) =>
    remoteAddress !== undefined && (addresses.includes(remoteAddress) || isInRange(remoteAddress));
}

function onHosts({ hostNames }: Parameters): ContextCondition {
  const isHere = splitList(hostNames?.toLowerCase()).includes((process.env.HOSTNAME || hostname()).toLowerCase());
  return () => isHere;
}

function inRandomShare({ percentage }: Parameters): ContextCondition {
  return () => Number(percentage) >= Math.floor(Math.random() * 100) + 1;
}

/** Includes a share of all contexts that have an id. */
function inStickyShare(
  percentage: string | undefined,
  groupId: string | undefined,
  idOf: (context: EvaluationContext) => string | undefined,
): ContextCondition {
  const share = Number(percentage);
  const positionOf = buildRolloutPosition(groupId ?? '');
  return (context) => {
    const id = idOf(context);
    if (id === undefined || id === '') return false;
    // Most rollouts have reached 100 %, which needs no hash.
    return share >= 100 || positionOf(id, context.budget) <= share;
  };
}

function stickyIdOf(stickiness = ''): (context: EvaluationContext) => string | undefined {
  if (stickiness === 'random') return () => String(Math.random());
  if (stickiness !== '' && stickiness !== 'default') return ({ values }) => values.get(stickiness);
  return ({ userId, sessionId, randomId }) => userId || sessionId || randomId;
}
