import * as v from 'valibot';
import { boolean, count, integer, object, text } from '../values/primitives.ts';

/** Limits of the service; 0 for things that do not exist. */
const resourceLimits = object({
  segmentValues: count,
  strategySegments: count,
  actionSetActions: count,
  actionSetsPerProject: count,
  actionSetFilters: count,
  actionSetFilterValues: count,
  signalEndpoints: count,
  signalTokensPerEndpoint: count,
  featureEnvironmentStrategies: count,
  constraintValues: count,
  constraints: count,
  environments: count,
  projects: count,
  apiTokens: count,
  segments: count,
  featureFlags: count,
  releaseTemplates: count,
});

/** A feature switch of an admin UI: a boolean, or its variant. */
export const uiFlag = v.union([boolean, object({ name: text, enabled: boolean, feature_enabled: boolean })]);

/** The configuration of an admin UI. */
export const uiConfig = object({
  name: text,
  slogan: text,
  environment: text,
  version: text,
  versionInfo: object({
    current: object({ oss: text, enterprise: text }),
    latest: object({}),
    isLatest: boolean,
    instanceId: text,
  }),
  unleashUrl: text,
  baseUriPath: text,
  authenticationType: v.literal('open-source'),
  disablePasswordAuth: boolean,
  emailEnabled: boolean,
  maintenanceMode: boolean,
  /** Always 0: sessions are not counted. */
  maxSessionsCount: v.literal(0),
  prometheusAPIAvailable: boolean,
  frontendApiOrigins: v.array(text),
  flags: v.record(text, uiFlag),
  /** Context that the flags were evaluated for. */
  unleashContext: object({ userId: integer }),
  resourceLimits,
});
