import * as v from 'valibot';
import {
  boolean,
  id,
  idText,
  lenientText,
  moment,
  nonEmptyText,
  object,
  record,
  text,
  timestamp,
} from '../values/primitives.ts';

export const addonPath = object({ id: idText });

/** Addon in requests; the provider defines its parameters. */
export const addonInput = object({
  provider: nonEmptyText,
  /** Null is an empty one, as in Unleash. */
  description: v.exactOptional(
    v.pipe(
      v.nullable(lenientText),
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
  /** The types of events that it sends. */
  events: v.array(text),
  /** The projects whose events it sends; none means all. */
  projects: v.array(text),
  /** The environments whose events it sends; none means all. */
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

/** The most events that a request can name to be sent again; the log has pages of as many. */
const againMax = 100;

/** Conditions on events that are to be sent once more, of which all must hold; without any, a test message is sent. */
export const againInput = object({
  ids: v.exactOptional(
    v.pipe(v.array(id), v.minLength(1), v.maxLength(againMax, `At most ${againMax} events can be named.`)),
  ),
  failed: v.exactOptional(boolean),
  since: v.exactOptional(moment),
  until: v.exactOptional(moment),
});
export type AgainInput = v.InferOutput<typeof againInput>;
