import * as v from 'valibot';
import { tag } from '../tags/tag-schema.ts';
import { anything, day, digits, filter, isAnyOf, searchText, wholeNumber } from '../values/filter-schema.ts';
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

/** The other events by what they are about; some come from servers that were migrated, and from nowhere else. */
const others = {
  application: ['created'],
  feature: [
    'archived',
    'revived',
    'import',
    'tagged',
    'untagged',
    'completed',
    'uncompleted',
    'favorited',
    'unfavorited',
  ],
  'feature-dependencies': ['removed'],
  'feature-dependency': ['added', 'removed'],
  'feature-environment': ['enabled', 'disabled', 'variants-updated'],
  'feature-link': ['added', 'updated', 'removed'],
  'feature-metadata': ['updated'],
  'feature-potentially': ['stale-on'],
  'feature-project': ['change'],
  'feature-stale': ['on', 'off'],
  'feature-strategy': ['update', 'add', 'remove'],
  'feature-tag': ['import'],
  'feature-type': ['updated'],
  'feature-variants': ['updated'],
  features: ['exported', 'imported'],
  strategy: ['deprecated', 'reactivated', 'import', 'order-changed'],
  'default-strategy': ['updated'],
  segment: ['import'],
  project: ['archived', 'revived', 'import', 'favorited', 'unfavorited'],
  'project-access': ['added', 'updated'],
  'project-access-group-roles': ['updated', 'deleted'],
  'project-access-user-roles': ['updated', 'deleted'],
  'project-environment': ['added', 'removed'],
  'project-group': ['added', 'removed', 'role-changed'],
  'project-user': ['added', 'removed', 'role-changed'],
  environment: ['import'],
  tag: ['created', 'deleted', 'import'],
  'tag-type': ['import'],
  drop: ['environments', 'features', 'feature-tags', 'projects', 'strategies', 'tags', 'tag-types'],
  'group-user': ['added', 'removed'],
  pat: ['created', 'deleted'],
  'public-signup-token': ['created', 'updated', 'user-added'],
  'user-access-request': ['registered', 'approved', 'rejected'],
  'user-preference': ['updated'],
  scim: ['groups-deleted', 'users-deleted'],
  change: ['added', 'edited', 'discarded'],
  'change-request': [
    'created',
    'discarded',
    'sent-to-review',
    'approval-added',
    'approved',
    'rejected',
    'cancelled',
    'applied',
    'scheduled',
    'schedule-suspended',
  ],
  'change-request-configuration': ['updated'],
  'change-request-requested-approvers': ['updated'],
  'change-request-scheduled-application': ['success', 'failure'],
  'change-request-override': ['started', 'ended', 'reviewed'],
  'milestone-progression': ['changed'],
  'release-plan': ['added', 'removed', 'milestone-started', 'progressions-paused', 'progressions-resumed'],
  'release-plan-template': ['archived'],
  safeguard: ['changed', 'deleted'],
  client: ['metrics', 'register'],
  'cdn-token': ['created'],
  'db-pool': ['update'],
  'remote-mcp-server-settings': ['updated'],
} as const;

/** All types of events, under Unleash's names where it has them. */
const eventTypes = [
  ...kinds.flatMap((kind) => changes.map((change) => `${kind}-${change}` as const)),
  ...Object.entries(others).flatMap(([about, all]) => all.map((each) => `${about}-${each}` as OtherEvent)),
];
type OtherEvent = { [About in keyof typeof others]: `${About}-${(typeof others)[About][number]}` }[keyof typeof others];
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
