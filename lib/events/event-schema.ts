import * as v from 'valibot';
import { tag } from '../tags/tag-schema.ts';
import { id, integer, name, object, text, timestamp } from '../values/primitives.ts';
import { agent } from './agent-schema.ts';

/** The kinds of things with the types of events `KIND-created`, `KIND-updated` and `KIND-deleted`. */
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

/** The other types of events, by prefix. Some come only from servers that were migrated. */
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
    'reverted',
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
  'release-plan-template': ['archived', 'revived'],
  safeguard: ['changed', 'deleted', 'triggered'],
  client: ['metrics', 'register'],
  'history-checkpoint': ['created'],
  'cdn-token': ['created'],
  'db-pool': ['update'],
  'remote-mcp-server-settings': ['updated'],
} as const;

/** All types of events. They have Unleash's names if Unleash has them. */
const eventTypes = [
  ...kinds.flatMap((kind) => changes.map((change) => `${kind}-${change}` as const)),
  ...Object.entries(others).flatMap(([prefix, ends]) => ends.map((end) => `${prefix}-${end}` as OtherEvent)),
];
type OtherEvent = {
  [Prefix in keyof typeof others]: `${Prefix}-${(typeof others)[Prefix][number]}`;
}[keyof typeof others];
export type EventType = (typeof eventTypes)[number];

/** Tells whether a text is the type of an event. */
export function isEventType(type: unknown): type is EventType {
  return (eventTypes as readonly unknown[]).includes(type);
}

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
  groupType: v.exactOptional(v.literal('change-request')),
  groupId: v.exactOptional(text),
  /** The agent that acted for the author. */
  agent: v.exactOptional(agent),
});
export type Event = v.InferOutput<typeof event>;
