import * as v from 'valibot';
import { defaultStrategy } from '../features/strategies/strategy-schema.ts';
import { approvals } from '../projects/approval-schema.ts';
import { boolean, count, id, integer, name, nonEmptyText, object, record, text } from '../values/primitives.ts';

/** Name of an environment; `*`, which means all environments, is none. */
export const environmentName = v.pipe(
  name,
  v.notValue('*', 'An environment may not be called "*", which stands for all.'),
);

const type = v.pipe(nonEmptyText, v.maxLength(100));

/** New environment in requests. */
export const environmentInput = object({
  name: environmentName,
  type,
  enabled: v.exactOptional(boolean),
  sortOrder: v.exactOptional(integer),
  requiredApprovals: v.exactOptional(approvals),
});
export type EnvironmentInput = v.InferOutput<typeof environmentInput>;

/** Copy of an environment in requests. */
export const environmentClone = object({
  name: environmentName,
  type,
  projects: v.exactOptional(v.array(name)),
  clonePermissions: v.exactOptional(boolean),
});
export type EnvironmentClone = v.InferOutput<typeof environmentClone>;

/** Fields of an environment that can be changed. */
export const environmentUpdate = object({
  type: v.exactOptional(type),
  sortOrder: v.exactOptional(integer),
  requiredApprovals: v.exactOptional(approvals),
});
export type EnvironmentUpdate = v.InferOutput<typeof environmentUpdate>;

/** Positions of environments in lists, by name. */
export const environmentOrder = record(integer);

/** Environment in replies. */
export const environment = object({
  name,
  type: text,
  sortOrder: integer,
  enabled: boolean,
  /** True if it can be neither changed nor deleted. Features are switched in it as in any other. */
  protected: boolean,
  /** Number of approvals that changes need there in projects that get it; null where they need none. */
  requiredApprovals: v.nullable(id),
});
export type ShownEnvironment = v.InferOutput<typeof environment>;

/** An environment in the list of all, with what is counted of it. */
export const listedEnvironment = object({
  ...environment.entries,
  projectCount: count,
  apiTokenCount: count,
  enabledToggleCount: count,
});

/** An environment as a project has it, or could have it. */
export const environmentOfProject = object({
  ...environment.entries,
  visible: boolean,
  projectApiTokenCount: count,
  projectEnabledToggleCount: count,
  defaultStrategy: v.exactOptional(defaultStrategy),
});
export type EnvironmentOfProject = v.InferOutput<typeof environmentOfProject>;
