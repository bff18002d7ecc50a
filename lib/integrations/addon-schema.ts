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

/** An addon in requests. Its provider defines its parameters. */
export const addonInput = object({
  provider: nonEmptyText,
  /** Null means empty, as in Unleash. */
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

/** An addon in replies, with `*****` in place of each secret. */
export const addon = object({
  id,
  provider: text,
  description: v.nullable(text),
  enabled: boolean,
  parameters: record(v.unknown()),
  /** The types of events that it sends. */
  events: v.array(text),
  /** The projects whose events it sends; empty for all. */
  projects: v.array(text),
  /** The environments whose events it sends; empty for all. */
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

/** A provider that addons send events to. */
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

/** The most ids of a request to send again, as on a page of the log. */
const againMax = 100;

/** The conditions that events to send again must all meet. Without conditions, a test event is sent. */
export const againInput = object({
  ids: v.exactOptional(
    v.pipe(v.array(id), v.minLength(1), v.maxLength(againMax, `At most ${againMax} events can be named.`)),
  ),
  failed: v.exactOptional(boolean),
  since: v.exactOptional(moment),
  until: v.exactOptional(moment),
});
export type AgainInput = v.InferOutput<typeof againInput>;

/** An integration that sends events elsewhere, such as to a chat. */
export interface Addon extends Omit<ShownAddon, 'parameters'> {
  /** The parameters of the provider, with secrets. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The time at which it was enabled: it sends no earlier events. Missing in addons of release 0.2. */
  readonly enabledAt?: string;
  /** The user who saved it last: it sends what they may see. Missing in addons of release 0.2, a seed or a migration. */
  readonly savedBy?: number;
}
