import * as v from 'valibot';
import { event } from '../events/event-schema.ts';
import {
  boolean,
  id,
  idText,
  integer,
  nonEmptyText,
  object,
  record,
  text,
  timestamp,
  writtenText,
} from '../values/primitives.ts';

export const addonPath = object({ id: idText });

/** Addon in requests; the provider defines its parameters. */
export const addonInput = object({
  provider: nonEmptyText,
  /** Null is an empty one, as in Unleash. */
  description: v.exactOptional(
    v.pipe(
      v.nullable(writtenText),
      v.transform((sent) => sent ?? ''),
    ),
  ),
  enabled: boolean,
  parameters: record(v.unknown()),
  events: v.array(nonEmptyText),
  projects: v.exactOptional(v.array(nonEmptyText)),
  environments: v.exactOptional(v.array(nonEmptyText)),
});
export type AddonInput = v.InferOutput<typeof addonInput>;

/** Addon in replies, with `*****` in place of each secret. */
export const addon = object({
  id,
  provider: text,
  description: v.nullable(text),
  enabled: boolean,
  parameters: record(v.unknown()),
  events: v.array(text),
  projects: v.array(text),
  environments: v.array(text),
  createdAt: timestamp,
});
export type ShownAddon = v.InferOutput<typeof addon>;

const parameter = object({
  name: text,
  displayName: text,
  type: v.picklist(['text', 'textfield', 'url']),
  description: v.exactOptional(text),
  placeholder: v.exactOptional(text),
  required: boolean,
  sensitive: boolean,
});
export type AddonParameter = v.InferOutput<typeof parameter>;

/** Provider that an addon can send events to. */
export const addonProvider = object({
  name: text,
  displayName: text,
  description: text,
  documentationUrl: text,
  howTo: v.exactOptional(text),
  deprecated: v.exactOptional(text),
  parameters: v.array(parameter),
  events: v.array(text),
  tagTypes: v.exactOptional(v.array(object({ name: text, description: text, icon: text }))),
  installation: v.exactOptional(object({ url: text, title: text, helpText: text })),
  alerts: v.exactOptional(v.array(object({ type: v.picklist(['info', 'warning']), text }))),
});
export type AddonProvider = v.InferOutput<typeof addonProvider>;

/** Outcome of a delivery of an event. */
export const integrationEvent = object({
  id: text,
  integrationId: integer,
  createdAt: timestamp,
  state: v.picklist(['success', 'failed', 'successWithErrors']),
  stateDetails: text,
  event,
  details: v.looseObject({}),
});
