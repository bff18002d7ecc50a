import * as v from 'valibot';
import { featureVariants, strategyVariants } from '../features/environments/variant-schema.ts';
import { constraint } from '../features/strategies/constraint-schema.ts';
import { boolean, id, nonEmptyText, object, openObject, record, text } from '../values/primitives.ts';

/** A text, a number or a boolean, which constraints compare as text. */
const value = v.pipe(
  v.unknown(),
  v.check(
    (sent) => typeof sent === 'string' || typeof sent === 'number' || typeof sent === 'boolean',
    'A text, a number or a boolean is required.',
  ),
  v.transform(String),
  text,
);

/** The context of an evaluation. Any other field is a property, too (`sdkContextSchema`). */
const context = openObject({
  appName: nonEmptyText,
  currentTime: v.exactOptional(v.pipe(v.string(), v.isoTimestamp('A time such as 2026-12-31T23:59:59Z is required.'))),
  environment: v.exactOptional(value),
  remoteAddress: v.exactOptional(value),
  sessionId: v.exactOptional(value),
  userId: v.exactOptional(value),
  properties: v.exactOptional(record(value)),
});
export type PlaygroundContext = v.InferOutput<typeof context>;

/** The projects of a query, at most as many as can exist, since each is read. */
export const playgroundProjects = v.union([
  v.pipe(v.array(text), v.maxLength(500, 'At most 500 projects are allowed.')),
  v.literal('*'),
]);
const projects = v.exactOptional(playgroundProjects);

/** A query of one environment (`playgroundRequestSchema`). */
export const playgroundRequest = object({ environment: nonEmptyText, projects, context });
export type PlaygroundRequest = v.InferOutput<typeof playgroundRequest>;

/** A query of several environments and contexts (`advancedPlaygroundRequestSchema`). */
export const advancedPlaygroundRequest = object({
  environments: v.pipe(
    v.array(v.pipe(text, v.regex(/^[a-zA-Z0-9~_.-]+$/, 'The name of an environment has A-Z, a-z, 0-9 and ~_.- only.'))),
    v.minLength(1, 'At least one environment is required.'),
  ),
  projects,
  context,
  /** Milestones of release plans that are evaluated as if they were active. */
  milestones: v.exactOptional(
    v.pipe(
      v.array(object({ featureName: nonEmptyText, environment: nonEmptyText, milestoneId: nonEmptyText })),
      v.maxLength(100, 'At most 100 milestones are allowed.'),
    ),
  ),
});

/** A query of the features that a change request changes. */
export const changeRequestPlaygroundRequest = object({ context });
export type AdvancedPlaygroundRequest = v.InferOutput<typeof advancedPlaygroundRequest>;

const constraints = v.array(v.intersect([constraint, object({ inverted: boolean, result: boolean })]));
const payload = v.exactOptional(object({ type: text, value: text }));

/** The result of one strategy; `unknown` if it cannot be decided. */
const strategyResult = object({
  evaluationStatus: v.picklist(['incomplete', 'unevaluated', 'complete']),
  enabled: v.union([boolean, v.literal('unknown')]),
  variant: v.exactOptional(object({ name: text, enabled: boolean, payload })),
  variants: v.exactOptional(strategyVariants),
});

const strategy = object({
  name: nonEmptyText,
  id: text,
  title: v.exactOptional(text),
  disabled: boolean,
  parameters: record(text),
  result: strategyResult,
  constraints,
  segments: v.array(object({ id, name: text, result: boolean, constraints })),
  links: object({ edit: text }),
});

const feature = object({
  name: text,
  projectId: text,
  isEnabled: boolean,
  isEnabledInCurrentEnvironment: boolean,
  hasUnsatisfiedDependency: boolean,
  strategies: object({ result: v.union([boolean, v.literal('unknown')]), data: v.array(strategy) }),
  variant: object({ name: text, enabled: boolean, payload, feature_enabled: boolean }),
  variants: featureVariants,
});

/** The result of each feature, with its reasons (`playgroundResponseSchema`). */
export const playground = object({ input: playgroundRequest, features: v.array(feature) });

/**
 * The result of each feature for each context in each environment, with its reasons
 * (`advancedPlaygroundResponseSchema`).
 */
export const advancedPlayground = object({
  features: v.array(
    object({
      name: text,
      projectId: text,
      environments: record(v.array(object({ ...feature.entries, environment: text, context: record(text) }))),
    }),
  ),
  input: advancedPlaygroundRequest,
  warnings: v.exactOptional(object({ invalidContextProperties: v.array(text) })),
});
