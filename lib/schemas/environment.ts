import * as v from 'valibot';
import { boolean, count, integer, name, object, text } from './primitives.ts';
import { strategyInput } from './strategy.ts';

/** An environment as it is answered. */
export const environment = object({ name, type: text, sortOrder: integer, enabled: boolean, protected: boolean });

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
  projectEnabledToggleCount: count,
  defaultStrategy: v.exactOptional(strategyInput),
});
export type EnvironmentOfProject = v.InferOutput<typeof environmentOfProject>;
