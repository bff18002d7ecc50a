import * as v from 'valibot';
import { anything, day, digits, filter, isAnyOf, searchText, wholeNumber } from '../features/search/filter-schema.ts';
import { tag } from '../tags/tag-schema.ts';
import { id, integer, name, object, text, timestamp } from '../values/primitives.ts';

/** Things that have an event each when one is created, changed and deleted. */
const kinds = [
  'feature',
  'strategy',
  'context-field',
  'project',
  'role',
  'tag-type',
  'addon-config',
  'user',
  'environment',
  'segment',
  'group',
  'setting',
  'api-token',
  'service-account',
  'banner',
  'signal-endpoint',
  'signal-endpoint-token',
  'actions',
  'impact-metric',
  'milestone-progression',
  'release-plan-template',
] as const;
const changes = ['created', 'updated', 'deleted'] as const;

/** The other events; the last ones come from servers that were migrated. */
const others = [
  'application-created',
  'feature-metadata-updated',
  'feature-variants-updated',
  'feature-environment-variants-updated',
  'feature-project-change',
  'feature-archived',
  'feature-revived',
  'feature-import',
  'feature-tagged',
  'feature-tag-import',
  'feature-strategy-update',
  'feature-strategy-add',
  'feature-strategy-remove',
  'feature-type-updated',
  'feature-completed',
  'feature-uncompleted',
  'strategy-order-changed',
  'drop-feature-tags',
  'feature-untagged',
  'feature-stale-on',
  'feature-stale-off',
  'drop-features',
  'feature-environment-enabled',
  'feature-environment-disabled',
  'strategy-deprecated',
  'strategy-reactivated',
  'strategy-import',
  'drop-strategies',
  'project-access-added',
  'project-access-user-roles-updated',
  'project-access-group-roles-updated',
  'project-access-user-roles-deleted',
  'project-access-group-roles-deleted',
  'project-access-updated',
  'project-archived',
  'project-revived',
  'project-import',
  'project-user-added',
  'project-user-removed',
  'project-user-role-changed',
  'project-group-role-changed',
  'project-group-added',
  'project-group-removed',
  'drop-projects',
  'tag-created',
  'tag-deleted',
  'tag-import',
  'drop-tags',
  'tag-type-import',
  'drop-tag-types',
  'db-pool-update',
  'drop-environments',
  'environment-import',
  'group-user-added',
  'group-user-removed',
  'client-metrics',
  'client-register',
  'pat-created',
  'pat-deleted',
  'public-signup-token-created',
  'public-signup-token-user-added',
  'public-signup-token-updated',
  'change-request-created',
  'change-request-discarded',
  'change-added',
  'change-discarded',
  'change-edited',
  'change-request-rejected',
  'change-request-approved',
  'change-request-approval-added',
  'change-request-cancelled',
  'change-request-sent-to-review',
  'change-request-schedule-suspended',
  'change-request-applied',
  'change-request-scheduled',
  'change-request-scheduled-application-success',
  'change-request-scheduled-application-failure',
  'change-request-configuration-updated',
  'change-request-override-started',
  'change-request-override-ended',
  'change-request-override-reviewed',
  'feature-favorited',
  'feature-unfavorited',
  'project-favorited',
  'project-unfavorited',
  'features-exported',
  'features-imported',
  'feature-potentially-stale-on',
  'feature-link-added',
  'feature-link-updated',
  'feature-link-removed',
  'feature-dependency-added',
  'feature-dependency-removed',
  'feature-dependencies-removed',
  'project-environment-added',
  'project-environment-removed',
  'default-strategy-updated',
  'segment-import',
  'cdn-token-created',
  'change-request-requested-approvers-updated',
  'milestone-progression-changed',
  'release-plan-added',
  'release-plan-milestone-started',
  'release-plan-progressions-paused',
  'release-plan-progressions-resumed',
  'release-plan-removed',
  'release-plan-template-archived',
  'remote-mcp-server-settings-updated',
  'safeguard-changed',
  'safeguard-deleted',
  'scim-groups-deleted',
  'scim-users-deleted',
  'user-access-request-approved',
  'user-access-request-registered',
  'user-access-request-rejected',
  'user-preference-updated',
] as const;

/** All types of events, under Unleash's names where it has them. */
const eventTypes = [...kinds.flatMap((kind) => changes.map((change) => `${kind}-${change}` as const)), ...others];
export type EventType = (typeof eventTypes)[number];

/** Tells whether a text is the type of an event. */
export function isEventType(type: unknown): type is EventType {
  return (eventTypes as readonly unknown[]).includes(type);
}

/** The kind of group of the events that a change request has made; their group is that and its id, as `change-request-7`. */
export const changeRequestGroup = 'change-request';

/** Event in the store and in replies. */
export const event = object({
  id,
  createdAt: timestamp,
  type: v.picklist(eventTypes),
  createdBy: text,
  createdByUserId: v.nullable(integer),
  environment: v.nullable(name),
  project: v.nullable(name),
  featureName: v.nullable(name),
  data: v.nullable(v.looseObject({})),
  preData: v.nullable(v.looseObject({})),
  tags: v.array(tag),
  groupType: v.exactOptional(v.literal(changeRequestGroup)),
  groupId: v.exactOptional(text),
});
export type Event = v.InferOutput<typeof event>;

/** Event in replies to a search: with its name, a sentence in Markdown, and the group of the events of one change. */
export const foundEvent = object({
  ...event.entries,
  label: text,
  summary: text,
  groupType: v.picklist(['transaction', changeRequestGroup]),
  groupId: text,
});
export type FoundEvent = v.InferOutput<typeof foundEvent>;

/** Limit of events on a page of a search; the default below it is Unleash's. */
const eventPageMax = 1_000;
const eventPage = 50;

/** A day, or a time as events have it, so that a day with more changes than one request looks back on has ends, too. */
const dayOrTime = v.union([day, v.pipe(timestamp, v.regex(/T.{12}Z$/))]);

/** Query of a search for events; a filter that is left out excludes nothing. */
export const eventSearch = object({
  /** Must be in the name of the feature, or in what the event says of the change, in capitals or not. */
  query: v.exactOptional(searchText),
  id: v.exactOptional(filter(isAnyOf, digits, 'IS:17')),
  type: v.exactOptional(filter(isAnyOf, anything, 'IS_ANY_OF:feature-created,feature-archived')),
  feature: v.exactOptional(filter(isAnyOf, anything, 'IS:checkout')),
  project: v.exactOptional(filter(isAnyOf, anything, 'IS:default')),
  environment: v.exactOptional(filter(isAnyOf, anything, 'IS:production')),
  /** Ids of users. */
  createdBy: v.exactOptional(filter(isAnyOf, v.pipe(v.string(), v.regex(/^-?\d+$/)), 'IS:1')),
  groupId: v.exactOptional(filter(isAnyOf, anything, 'IS:17')),
  from: v.exactOptional(filter(['IS'], dayOrTime, 'IS:2026-01-31')),
  /** This day, or time, included. */
  to: v.exactOptional(filter(['IS'], dayOrTime, 'IS:2026-01-31')),
  offset: v.optional(wholeNumber, '0'),
  limit: v.optional(
    v.pipe(wholeNumber, v.minValue(1), v.maxValue(eventPageMax, `A page has at most ${eventPageMax} events.`)),
    String(eventPage),
  ),
});
export type EventSearch = v.InferOutput<typeof eventSearch>;
