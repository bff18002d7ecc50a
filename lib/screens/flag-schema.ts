import * as v from 'valibot';
import { feature } from '../features/feature-schema.ts';
import { constraint } from '../features/strategies/constraint-schema.ts';
import { defaultStrategy } from '../features/strategies/strategy-schema.ts';
import { impactChart } from '../usage/impact-metrics/chart-schema.ts';
import { count, id, name, object, text, timestamp } from '../values/primitives.ts';
import { shownEvent } from './shown-event-schema.ts';

/** Evaluations of the last 24 hours, the oldest hour first. */
const hours = v.array(count);

const flagEnvironment = object({
  name,
  /** Approvals that a change needs there; missing if it needs none. */
  approvals: v.exactOptional(count),
  /** The project's default strategy for flags without one there; missing if the project has none of its own. */
  defaultStrategy: v.exactOptional(defaultStrategy),
  yes: hours,
  no: hours,
});

/** An application that has evaluated the flag within 24 hours. */
const flagApplication = object({
  name: text,
  environment: name,
  /** The SDK of its last instance, such as `unleash-client-node:6.12.1`. */
  sdk: v.exactOptional(text),
  /** The number of instances; more than 1,000 are not counted. */
  instances: count,
  calls: count,
});

/** An open change request that changes the flag. */
const flagRequest = object({
  id,
  title: v.exactOptional(text),
  state: text,
  environment: name,
  author: text,
  createdAt: timestamp,
  approvals: count,
  minApprovals: count,
});

/** All that the page of a flag shows. */
export const consoleFlag = object({
  feature,
  /** The flags that it depends on. */
  parents: v.array(feature),
  /** The ETag of the flag, for `If-Match` of a change. */
  version: text,
  environments: v.array(flagEnvironment),
  /** The segments that its strategies use, and those of its parents. */
  segments: v.array(object({ id, name: text, constraints: v.array(constraint) })),
  applications: v.array(flagApplication),
  requests: v.array(flagRequest),
  events: v.array(shownEvent),
  /** The saved charts of impact metrics. */
  charts: v.array(impactChart),
});
export type ConsoleFlag = v.InferOutput<typeof consoleFlag>;
