import * as v from 'valibot';
import { planProgressEntries } from '../features/feature-list-schema.ts';
import { lifecycle } from '../features/feature-schema.ts';
import { boolean, count, id, name, object, text, timestamp } from '../values/primitives.ts';

/** The state of a flag in an environment. */
const flagState = object({
  name,
  enabled: boolean,
  hasStrategies: boolean,
  lastSeenAt: v.nullable(timestamp),
  ...planProgressEntries,
  /** Tells that it has a release plan, and that a strategy of the flag itself serves everybody at each milestone. */
  isForEverybody: v.exactOptional(boolean),
  /** Evaluations of about the last hour; missing if they were not read. */
  yes: v.exactOptional(count),
  no: v.exactOptional(count),
  /** Open change requests that change it there. */
  requests: v.exactOptional(v.array(id)),
});

const listedFlag = object({
  name,
  project: name,
  type: text,
  description: v.nullable(text),
  tags: v.array(text),
  stale: boolean,
  favorite: boolean,
  stage: lifecycle.entries.stage,
  createdAt: timestamp,
  /** The id and the name of the person who created it. */
  owner: object({ id: v.number(), name: text }),
  environments: v.array(flagState),
});
export type ListedFlag = v.InferOutput<typeof listedFlag>;

export const flagsQuery = object({ project: v.exactOptional(text) });

/** The flags of one project, or of all, with the environments of these projects in their order. */
export const consoleFlags = object({
  environments: v.array(object({ name, type: text })),
  flags: v.array(listedFlag),
});
export type ConsoleFlags = v.InferOutput<typeof consoleFlags>;
