import { tokensMax } from '../api-tokens/api-tokens.ts';
import { constraintsMax, constraintValuesMax, segmentValuesMax } from '../schemas/constraint.ts';
import { strategiesMax, segmentsMax as strategySegments } from '../schemas/strategy.ts';
import { segmentsMax } from '../segments/segments.ts';

/** How many there may be of what, as Unleash names it; 0 for what does not exist here. */
export const resourceLimits = {
  segmentValues: segmentValuesMax,
  strategySegments,
  featureEnvironmentStrategies: strategiesMax,
  constraintValues: constraintValuesMax,
  constraints: constraintsMax,
  apiTokens: tokensMax,
  segments: segmentsMax,
  // Unleash's numbers: an admin UI offers to create no more.
  environments: 50,
  projects: 500,
  featureFlags: 50_000,
  actionSetActions: 0,
  actionSetsPerProject: 0,
  actionSetFilters: 0,
  actionSetFilterValues: 0,
  signalEndpoints: 0,
  signalTokensPerEndpoint: 0,
  releaseTemplates: 0,
};
