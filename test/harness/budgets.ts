/** Functions whose bundles hold more than the code of an endpoint. */
const largerBundles: Readonly<Record<string, number>> = {
  // Reading and checking the signed XML of an identity provider.
  startSaml: 780_000,
  finishSaml: 780_000,
  getSamlMetadata: 780_000,
  // The schema of an import file, and the changes that each part makes.
  importToggles: 306_000,
  validateImport: 264_000,
  // All changes that one can hold.
  'change-requests': 344_000,
  // Templates, and the plans that features get from them.
  'release-plans': 284_000,
  // The effects of change requests, the log of events, and all that pages show beside them.
  console: 353_000,
  // Evaluating features, also as a change request would leave them.
  playground: 276_000,
  frontend: 249_000,
  // It makes the changes of change requests, with the expressions of strategies.
  'time-travel': 291_000,
  // All kinds of work of the clock, which share the time of a call.
  runClock: 255_000,
  // The operations that its tools call.
  mcp: 444_000,
  // A folder or several, where functions are few.
  flags: 525_000,
  administration: 748_000,
  auth: 840_000,
  service: 390_000,
  // Every endpoint, to describe them all; it grows with each, and few ask for it.
  getOpenApiDocument: 375_000,
};

/** Returns the most bytes of a function's bundle, which a cold start reads. */
export function bundleBytesMax(name: string): number {
  return largerBundles[name] ?? 252_000;
}

/**
 * Most time that a fresh process takes to its first answer, as a multiple of one that only imports the SDK's client.
 */
export const coldRatioMax = 1.15;

/** The same for a function of several endpoints, as a multiple of one that has a single one. */
export const joinedColdRatioMax = 1.5;
