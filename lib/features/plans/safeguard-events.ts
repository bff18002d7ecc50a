import type { Feature } from '../feature.ts';
import { buildFeatureEvent } from '../feature-events.ts';
import type { Safeguard } from './safeguard-schema.ts';
import { viewEnvironmentSafeguard, viewPlanSafeguard } from './view-plan.ts';

/* Events of the safeguards of a feature in an environment, or of its plan. */

/** The owner of a safeguard: a plan, or the feature in the environment itself. */
export interface SafeguardOwner {
  readonly environment: string;
  /** Missing for a safeguard of the environment. */
  readonly planId?: string | undefined;
}

function view({ name, project }: Pick<Feature, 'name' | 'project'>, owner: SafeguardOwner, safeguard: Safeguard) {
  const { environment, planId } = owner;
  return planId === undefined
    ? viewEnvironmentSafeguard({ project, featureName: name, environment }, safeguard)
    : viewPlanSafeguard(planId, safeguard);
}

export function safeguardChanged(
  feature: Feature,
  owner: SafeguardOwner,
  before: Safeguard | undefined,
  after: Safeguard,
) {
  return buildFeatureEvent(feature, 'safeguard-changed', {
    environment: owner.environment,
    data: view(feature, owner, after),
    ...(before && { preData: view(feature, owner, before) }),
  });
}

export const safeguardDeleted = (feature: Feature, owner: SafeguardOwner, before: Safeguard) =>
  buildFeatureEvent(feature, 'safeguard-deleted', {
    environment: owner.environment,
    preData: view(feature, owner, before),
  });

/** The evidence on which a safeguard acts. */
export interface TriggeringEvidence {
  readonly value: number;
  /** The time of the latest data. */
  readonly at: string;
  /** A text of the sender, such as the reason of a signal. */
  readonly note?: string | undefined;
}

/** Builds the event of a safeguard that acts, with the evidence and its age. */
export function safeguardTriggered(
  feature: Feature,
  owner: SafeguardOwner,
  safeguard: Safeguard,
  { value, at, note }: TriggeringEvidence,
  actsAt: string,
) {
  const evidenceAgeSeconds = Math.max(0, Math.round((Date.parse(actsAt) - Date.parse(at)) / 1_000));
  return buildFeatureEvent(feature, 'safeguard-triggered', {
    environment: owner.environment,
    data: {
      ...view(feature, owner, safeguard),
      ...{ value, evidenceAt: at, evidenceAgeSeconds },
      ...(note !== undefined && { reason: note }),
    },
  });
}
