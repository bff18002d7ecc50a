import * as v from 'valibot';
import { id, integer, name, object, text, timestamp } from '../schemas/primitives.ts';
import { type Tag, tag } from '../schemas/tag.ts';
import type { Actor } from './actor.ts';

/** The event types that are written so far; the interface's section "Events" lists all. */
const eventTypes = [
  'addon-config-created',
  'addon-config-deleted',
  'api-token-created',
  'api-token-deleted',
  'context-field-created',
  'default-strategy-updated',
  'environment-created',
  'feature-archived',
  'feature-created',
  'feature-dependency-added',
  'feature-environment-disabled',
  'feature-environment-enabled',
  'feature-environment-variants-updated',
  'feature-metadata-updated',
  'feature-revived',
  'feature-stale-off',
  'feature-stale-on',
  'feature-strategy-add',
  'feature-strategy-remove',
  'feature-tagged',
  'feature-untagged',
  'features-imported',
  'group-created',
  'pat-created',
  'pat-deleted',
  'project-created',
  'project-environment-added',
  'segment-created',
  'setting-created',
  'setting-updated',
  'strategy-created',
  'strategy-order-changed',
  'tag-created',
  'tag-type-created',
  'user-created',
  'user-updated',
] as const;
type EventType = (typeof eventTypes)[number];

type Data = Readonly<Record<string, unknown>>;

/** What happened, before it is known under which number. */
export interface NewEvent {
  readonly type: EventType;
  readonly project?: string;
  readonly environment?: string;
  readonly featureName?: string;
  readonly data?: Data;
  readonly preData?: Data | null;
  /** The feature's tags at that moment. */
  readonly tags?: readonly Tag[];
}

/** An event as it is stored and answered. */
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
});
export type Event = v.InferOutput<typeof event>;

/** Gives events their numbers, in their order, and their author and time, which all events of one change share. */
export function stamp(events: readonly NewEvent[], firstId: number, actor: Actor, at: string): Event[] {
  return events.map(({ type, project, environment, featureName, data, preData, tags }, index) => ({
    id: firstId + index,
    createdAt: at,
    type,
    createdBy: actor.name,
    createdByUserId: actor.id,
    environment: environment ?? null,
    project: project ?? null,
    featureName: featureName ?? null,
    data: data ?? null,
    preData: preData ?? null,
    tags: [...(tags ?? [])],
  }));
}
