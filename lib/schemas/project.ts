import * as v from 'valibot';
import { boolean, count, name, object, text, timestamp } from './primitives.ts';
import { strategyInput } from './strategy.ts';

/** Who sees a project and may ask for changes in it: everybody. */
const mode = v.literal('open');

const percentage = v.pipe(count, v.maxValue(100));

/** A project with what belongs to it and what is counted of it. */
export const projectOverview = object({
  version: v.literal(1),
  name: text,
  description: text,
  defaultStickiness: text,
  mode,
  featureLimit: v.null(),
  featureNaming: object({ pattern: v.null(), example: v.null(), description: v.null() }),
  linkTemplates: v.array(v.never()),
  createdAt: timestamp,
  updatedAt: v.null(),
  archivedAt: v.null(),
  favorite: boolean,
  members: count,
  health: percentage,
  technicalDebt: percentage,
  environments: v.array(
    object({ environment: name, changeRequestsEnabled: boolean, defaultStrategy: v.exactOptional(strategyInput) }),
  ),
  featureTypeCounts: v.array(object({ type: text, count })),
  onboardingStatus: object({ status: v.picklist(['onboarding-started', 'onboarded']) }),
});
export type ProjectOverview = v.InferOutput<typeof projectOverview>;
