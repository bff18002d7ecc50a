/**
 * The registry: one line per endpoint, exported under its operationId. The local server, the stack, the OpenAPI
 * document and the tests of what all endpoints share go through this list.
 */
export { handler as getBaseUsersAndGroups } from './access/getBaseUsersAndGroups.ts';
export { handler as deleteAddon } from './addons/deleteAddon.ts';
export { handler as getArchivedFeaturesByProjectId } from './archive/getArchivedFeaturesByProjectId.ts';
export { handler as getAllEnvironments } from './environments/getAllEnvironments.ts';
export { handler as getEventsForToggle } from './events/getEventsForToggle.ts';
export { handler as addFeatureStrategy } from './features/addFeatureStrategy.ts';
export { handler as addTag } from './features/addTag.ts';
export { handler as bulkToggleFeaturesEnvironmentOff } from './features/bulkToggleFeaturesEnvironmentOff.ts';
export { handler as createFeature } from './features/createFeature.ts';
export { handler as deleteFeatureStrategy } from './features/deleteFeatureStrategy.ts';
export { handler as getEnvironmentFeatureVariants } from './features/getEnvironmentFeatureVariants.ts';
export { handler as getFeature } from './features/getFeature.ts';
export { handler as getFeatureStrategies } from './features/getFeatureStrategies.ts';
export { handler as getFeatureStrategy } from './features/getFeatureStrategy.ts';
export { handler as patchFeature } from './features/patchFeature.ts';
export { handler as patchFeatureStrategy } from './features/patchFeatureStrategy.ts';
export { handler as setStrategySortOrder } from './features/setStrategySortOrder.ts';
export { handler as updateFeature } from './features/updateFeature.ts';
export { handler as updateFeatureStrategy } from './features/updateFeatureStrategy.ts';
export { handler as importToggles } from './imports/importToggles.ts';
export { handler as addDefaultStrategyToProjectEnvironment } from './projects/addDefaultStrategyToProjectEnvironment.ts';
export { handler as addEnvironmentToProject } from './projects/addEnvironmentToProject.ts';
export { handler as validateProject } from './projects/validateProject.ts';
export { handler as createSegment } from './segments/createSegment.ts';
export { handler as getSegment } from './segments/getSegment.ts';
export { handler as getSegments } from './segments/getSegments.ts';
export { handler as getStrategiesBySegmentId } from './segments/getStrategiesBySegmentId.ts';
export { handler as removeSegment } from './segments/removeSegment.ts';
export { handler as updateSegment } from './segments/updateSegment.ts';
export { handler as validateSegment } from './segments/validateSegment.ts';
export { handler as getApiReference } from './service/getApiReference.ts';
export { handler as getApiReferenceFile } from './service/getApiReferenceFile.ts';
export { handler as getHealth } from './service/getHealth.ts';
export { handler as getOpenApiDocument } from './service/getOpenApiDocument.ts';
export { handler as getStartPage } from './service/getStartPage.ts';
export { handler as getSamlSettings } from './settings/getSamlSettings.ts';
export { handler as setSamlSettings } from './settings/setSamlSettings.ts';
export { handler as createStrategy } from './strategies/createStrategy.ts';
export { handler as deprecateStrategy } from './strategies/deprecateStrategy.ts';
export { handler as getAllStrategies } from './strategies/getAllStrategies.ts';
export { handler as getStrategy } from './strategies/getStrategy.ts';
export { handler as reactivateStrategy } from './strategies/reactivateStrategy.ts';
export { handler as removeStrategy } from './strategies/removeStrategy.ts';
export { handler as updateStrategy } from './strategies/updateStrategy.ts';
