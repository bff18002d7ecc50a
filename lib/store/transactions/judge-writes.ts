import { kindOfItem } from '../client/definition.ts';
import { keyOfWrite } from './merge-writes.ts';
import type { Write } from './write.ts';

/*
 * The kind of an item decides whether its writes may change rights, and whether they belong to a change request. The operation does not
 * matter. lib/backup/backup-items.ts groups the same kinds by another question: what a backup contains. Neither grouping follows from
 * the other: favorites and passwords are both written alone, but only passwords grant access.
 */

/**
 * The kinds of items that contain neither rights nor receivers of events (such as integrations). Writes of all other kinds may change
 * rights, also of new kinds that are not listed here yet.
 */
const kindsWithoutRights: ReadonlySet<string> = /* @__PURE__ */ new Set([
  // Features, and what they use.
  ...['FEATURE', 'PROJECT', 'PROJECTS', 'ENVIRONMENTS', 'SEGMENTS', 'STRATEGY_TYPES', 'CONTEXT_FIELDS'],
  ...['FEATURE_TYPES', 'TAG_TYPES', 'TAGS', 'TAGS_MADE', 'REFERRERS', 'FAVORITES', 'UI_STATE'],
  // Reports, and numbers that are computed from them or from events.
  ...['USAGE', 'SEEN', 'CUSTOM_METRICS', 'IMPACT_METRICS', 'IMPACT_METRIC', 'FEATURE_MINUTES', 'CLOUDWATCH_ALARMS'],
  ...['UNKNOWN_FLAGS', 'APPLICATIONS', 'APPLICATION', 'APPLICATION_FEATURES', 'PROJECT_APPLICATIONS', 'SDKS'],
  ...['PROJECT_WEEKS', 'TRENDS', 'TRENDS_STATE'],
  // The history.
  ...['EVENTS', 'SEALS', 'SEAL', 'CHECKPOINTS', 'UNKEPT_CHECKPOINTS'],
  // Counters, records of requests and sign-ins, and waiting work.
  ...['COUNTER', 'REQUEST', 'NONCES', 'ATTEMPTS', 'SIGN_INS'],
  ...['REMOVAL', 'MAILS', 'ALARMS', 'PLAN_STEPS', 'PROPOSALS', 'GUARDED'],
]);

/** Tells whether a write may change rights. */
export function mayChangeRights(write: Write): boolean {
  return !('check' in write) && !kindsWithoutRights.has(kindOfItem(keyOfWrite(write)));
}

/** The kinds of items of change requests, with their events and idempotency records. */
const proposalKinds: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...['CHANGE_REQUEST', 'PROPOSALS', 'EXPIRIES', 'ALARMS', 'MAILS', 'EVENTS', 'REQUEST'],
]);

/** Tells whether a write belongs to a change request, so that an agent may store it. */
export function isOfProposal(write: Write): boolean {
  const key = keyOfWrite(write);
  return 'check' in write || proposalKinds.has(kindOfItem(key)) || /^PROJECT#[^#]*#CHANGE_REQUESTS$/.test(key.pk);
}
