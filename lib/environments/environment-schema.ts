import * as v from 'valibot';
import { defaultStrategy } from '../features/strategies/strategy-schema.ts';
import { approvals } from '../projects/approval-schema.ts';
import { boolean, count, id, integer, name, nonEmptyText, object, record, text } from '../values/primitives.ts';

/** Name of an environment; not `*`, which means all environments. */
export const environmentName = v.pipe(
  name,
  v.notValue('*', 'An environment cannot be named "*", which means all environments.'),
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

/** The changeable fields of an environment. */
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
  /** True if it can be neither changed nor deleted. Features can still be switched on and off in it. */
  protected: boolean,
  /** The default number of approvals for projects that get this environment; null if changes need none. */
  requiredApprovals: v.nullable(id),
});
export type ShownEnvironment = v.InferOutput<typeof environment>;

/** An environment in a list, with its counts. */
export const listedEnvironment = object({
  ...environment.entries,
  projectCount: count,
  apiTokenCount: count,
  enabledToggleCount: count,
});

/** An environment in the list of a project, which has it (`visible`) or could add it. */
export const environmentOfProject = object({
  ...environment.entries,
  visible: boolean,
  projectApiTokenCount: count,
  projectEnabledToggleCount: count,
  defaultStrategy: v.exactOptional(defaultStrategy),
});
export type EnvironmentOfProject = v.InferOutput<typeof environmentOfProject>;
