/** Switches of Unleash's admin UI 7.6.5 for what is not offered here; clients find them all off. */
const off = `
  anonymiseEventLog automatedActions celebrateUnleash consumptionModel consumptionModelUI deltaApi deltaDiff demo
  denyStreamingForNonEdge disableMetrics disablePublishUnannouncedEvents disableShowContextFieldSelectionValues
  disableUpdateMaxRevisionId elasticEventSync enableLegacyVariants enableLicense encryptEmails enterpriseEdgeTokensList
  estimateTrafficDataCost extendedMetrics extendedUsageMetrics externalImpactMetrics feedbackPosting
  filterInvalidClientMetrics gtmReleaseManagement interactiveDemoKillSwitch
  killScheduledChangeRequestCache maintenanceMode manyStrategiesPagination migrationLock newInUnleash
  oidcPkceSupport onboardingFlagSetup onboardingProjectSetupNewSteps onlyFeatureTokensWithFeatureAPIs outdatedSdksBanner
  personalAccessTokensKillSwitch plausibleMetrics productivityReportEmail productivityReportUnsubscribers
  projectRoleAssignment queryMissingTokens registerImpactMetrics remoteMcpServer removeUnsafeInlineStyleSrc
  responseTimeMetricsFix responseTimeWithAppNameKillSwitch showUserDeviceCount signals strictSchemaValidation
  uniqueSdkTracking useMemoizedActiveTokens userTokenWithClientApiLoggingKillSwitch webhookDomainLogging`;

/** The switches that are variants of a flag. */
const offVariants = ['feedbackComments', 'fetchMode', 'messageBanner', 'streaming'];

const disabled = { name: 'disabled', enabled: false, feature_enabled: false };

export type UiSwitch = boolean | typeof disabled;

/** Switches of features that Unleash's admin UI hides unless they are on. */
export const uiSwitches: Readonly<Record<string, UiSwitch>> = {
  ...Object.fromEntries(
    off
      .trim()
      .split(/\s+/)
      .map((name) => [name, false]),
  ),
  ...Object.fromEntries(offVariants.map((name) => [name, disabled])),
  EEA: true,
  impactMetrics: true,
  impactMetricsFlagPage: true,
  milestoneProgression: true,
  multiMetricChart: true,
  regexConstraintOperator: true,
  safeguards: true,
};
