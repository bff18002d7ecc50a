import { keyOfWrite } from './merge-writes.ts';
import type { Write } from './write.ts';

/* The kinds of partitions by which a transaction is judged, without regard to the operation. */

/**
 * The partitions that contain neither rights nor receivers of events (such as integrations), by the part of their name before the
 * first "#". Writes to any other partition may change rights, also to new ones that are not listed here yet.
 */
const ordinaryPartitions: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...[
    'FEATURE',
    'PROJECT',
    'PROJECTS',
    'ENVIRONMENTS',
    'SEGMENTS',
    'STRATEGY_TYPES',
    'CONTEXT_FIELDS',
    'FEATURE_TYPES',
  ],
  ...['TAG_TYPES', 'TAGS', 'TAGS_MADE', 'REFERRERS', 'FAVORITES', 'UI_STATE'],
  ...[
    'USAGE',
    'SEEN',
    'CUSTOM_METRICS',
    'IMPACT_METRICS',
    'IMPACT_METRIC',
    'FEATURE_MINUTES',
    'CLOUDWATCH_ALARMS',
    'UNKNOWN_FLAGS',
    'APPLICATIONS',
    'APPLICATION_FEATURES',
    'APPLICATION',
  ],
  ...[
    'PROJECT_APPLICATIONS',
    'PROJECT_WEEKS',
    'TRENDS',
    'TRENDS_STATE',
    'SDKS',
    'EVENTS',
    'COUNTER',
    'REQUEST',
    'REMOVAL',
    'NONCES',
    'ATTEMPTS',
    'SIGN_INS',
    'MAILS',
    'ALARMS',
    'PLAN_STEPS',
    'PROPOSALS',
    'GUARDED',
    'SEALS',
    'SEAL',
    'CHECKPOINTS',
  ],
]);

/** Tells whether a write may change rights. */
export function mayChangeRights(write: Write): boolean {
  return !('check' in write) && !ordinaryPartitions.has(kindOf(keyOfWrite(write).pk));
}

/** The partitions of change requests, with their events and idempotency records. */
const proposalPartitions: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...['CHANGE_REQUEST', 'PROPOSALS', 'EXPIRIES', 'ALARMS', 'MAILS', 'EVENTS', 'REQUEST'],
]);

/** Tells whether a write belongs to a change request, so that an agent may store it. */
export function isOfProposal(write: Write): boolean {
  const { pk } = keyOfWrite(write);
  return 'check' in write || proposalPartitions.has(kindOf(pk)) || /^PROJECT#[^#]*#CHANGE_REQUESTS$/.test(pk);
}

/** Returns the name of a partition up to the first "#". */
function kindOf(pk: string): string {
  return pk.split('#', 1)[0] ?? '';
}
