/** Functions whose bundles hold more than the code of an endpoint. */
const largerBundles: Readonly<Record<string, number>> = {
  // What reads and checks the signed XML of an identity provider.
  startSaml: 900_000,
  finishSaml: 900_000,
  getSamlMetadata: 900_000,
  // What a file may hold, and what each of it changes.
  importToggles: 349_000,
  validateImport: 325_000,
  // All changes that one can hold.
  'change-requests': 358_000,
  applySchedules: 345_000,
  // The schedules that a change of one suspends.
  segments: 301_000,
  // What is left of an earlier project of the id.
  createProject: 302_000,
  // What evaluates features, as a change request would leave them, too.
  playground: 332_000,
  frontend: 307_000,
  // A folder or several, where functions are few.
  flags: 533_000,
  administration: 565_000,
  auth: 950_000,
  service: 390_000,
  // Every endpoint, to describe them all; it grows with each, and few ask for it.
  getOpenApiDocument: 400_000,
};

/** Returns the most bytes of a function's bundle, which a cold start reads. */
export function bundleBytesMax(name: string): number {
  return largerBundles[name] ?? 300_000;
}

/**
 * Most time that a fresh process takes to its first answer, as a multiple of one that only imports the SDK's client.
 */
export const coldRatioMax = 1.15;

/** The same for a function of several endpoints, as a multiple of one that has a single one. */
export const joinedColdRatioMax = 1.5;
