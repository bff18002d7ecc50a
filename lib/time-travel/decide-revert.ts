import { isDeepStrictEqual } from 'node:util';
import { attempt } from '../change-requests/plan/load-plan.ts';
import { ApiError } from '../errors.ts';
import type { NewEvent } from '../events/event.ts';
import { environmentOfFeature, type Feature } from '../features/feature.ts';
import { featureMetadataUpdated } from '../features/feature-events.ts';
import type { FeatureUpdate } from '../features/feature-schema.ts';
import { applyFeatureUpdate } from '../features/items/apply-feature-update.ts';
import type { PropertyChange } from './compare-flags.ts';
import { deliverEarlier, type EarlierFlag, environmentOfEarlier, toEarlierFlag } from './earlier-flag.ts';
import type { LoadedRevert, Obstacle, RevertStep } from './load-revert.ts';

/** The result of the changes of a revert. */
export interface DecidedRevert {
  readonly after: Feature;
  readonly events: readonly NewEvent[];
  /** The steps that change something, in their order. */
  readonly steps: readonly RevertStep[];
  readonly obstacles: readonly Obstacle[];
}

/** Makes the changes one after the other, and checks that they lead to the target. Pure. */
export function decideRevert(
  { stored, target, environments, fields, switches, ...loaded }: LoadedRevert,
  at: string,
): DecidedRevert {
  const obstacles = [...loaded.obstacles];
  const steps: RevertStep[] = [];
  let { feature } = stored;
  const events: NewEvent[] = [];
  if (fields.length > 0) {
    const before = feature;
    feature = applyFeatureUpdate(before, toUpdate(fields), at);
    events.push(...featureMetadataUpdated(before, feature));
  }
  const apply = (step: RevertStep) => {
    const { planned, environment } = step;
    const decided = attempt(() => {
      if (planned instanceof ApiError) throw planned;
      return planned({ ...stored, feature }, at);
    });
    if (decided instanceof ApiError) {
      // Its details name everything that is missing, one by one.
      obstacles.push(...decided.details.map(({ message }) => ({ environment, message })));
      return;
    }
    feature = decided.after;
    events.push(...decided.events);
    steps.push(step);
  };
  for (const step of loaded.steps) apply(step);
  if (target === undefined) return { after: feature, events, steps, obstacles };
  for (const [environment, step] of switches)
    if (environmentOfFeature(feature, environment).enabled !== environmentOfEarlier(target, environment).enabled)
      apply(step);
  const after = toEarlierFlag(feature);
  for (const environment of environments) {
    if (obstacles.some((obstacle) => obstacle.environment === environment || obstacle.environment === null)) continue;
    const [wanted, reached] = [target, after].map((flag) => contentFor(flag, environment));
    if (!isDeepStrictEqual(wanted, reached))
      obstacles.push({
        environment,
        message: `What SDKs got in "${environment}" cannot be restored exactly by changes that are possible today.`,
      });
  }
  return { after: feature, events, steps, obstacles };
}

/** Returns the delivered content of an environment, without the properties that all environments share. */
function contentFor(flag: EarlierFlag, environment: string) {
  const { enabled, strategies, variants } = deliverEarlier(flag, environment) ?? {};
  return { enabled, strategies, variants };
}

function toUpdate(fields: readonly PropertyChange[]): FeatureUpdate {
  return Object.fromEntries(fields.map(({ property, after }) => [property, after]));
}
