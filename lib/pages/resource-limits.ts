import { environmentsMax } from '../environments/environments.ts';
import { constraintsMax, constraintValuesMax, segmentValuesMax } from '../features/strategies/constraint-schema.ts';
import { strategiesMax, strategySegmentsMax } from '../features/strategies/strategy-schema.ts';
import { readApiTokensLimit, readProjectFeaturesLimit } from '../limits.ts';
import { projectsMax } from '../projects/projects.ts';
import { templatesMax } from '../release-plans/template-schema.ts';
import { segmentsMax } from '../segments/segments.ts';

/** Returns the limits of the service under Unleash's names; 0 for things that do not exist. */
export const resourceLimits = () => ({
  segmentValues: segmentValuesMax,
  strategySegments: strategySegmentsMax,
  featureEnvironmentStrategies: strategiesMax,
  constraintValues: constraintValuesMax,
  constraints: constraintsMax,
  apiTokens: readApiTokensLimit(),
  segments: segmentsMax,
  environments: environmentsMax,
  projects: projectsMax,
  // Each project has its own limit. An admin UI only knows one for all projects together.
  featureFlags: projectsMax * readProjectFeaturesLimit(),
  actionSetActions: 0,
  actionSetsPerProject: 0,
  actionSetFilters: 0,
  actionSetFilterValues: 0,
  signalEndpoints: 0,
  signalTokensPerEndpoint: 0,
  releaseTemplates: templatesMax,
});
