import { loadHeads, loadHiddenNames } from '../../features/feature-store.ts';
import type { Request } from '../../request.ts';
import { strategyTypes } from '../../strategy-types/strategy-types.ts';
import type { ApplicationOverview } from './application-schema.ts';
import { loadApplication } from './applications.ts';
import { listInstances, listUsedFeatures } from './instances.ts';
import { isOutdated } from './outdated-sdks.ts';

/** Strategies of old SDKs, whose absence is not an issue. */
const obsoleteStrategies = new Set([
  'gradualRolloutRandom',
  'gradualRolloutSessionId',
  'gradualRolloutUserId',
  'userWithId',
]);

/**
 * Reads the environments and SDKs of an application, and its issues: unknown features and strategies, and outdated SDKs.
 * @throws ApiError 404 for an unknown application.
 */
export async function loadApplicationOverview(request: Request, appName: string): Promise<ApplicationOverview> {
  const [{ value: application }, instances, used, types] = await Promise.all([
    loadApplication(request, appName),
    listInstances(request, appName),
    listUsedFeatures(request, appName),
    strategyTypes.list(request),
  ]);
  const names = [...new Set([...used.values()].flat())];
  const [heads, hidden] = await Promise.all([loadHeads(request, names), loadHiddenNames(request, names)]);
  const features = new Set(names).difference(hidden);
  const environments = new Set([...used.keys(), ...instances.map(({ environment }) => environment)]);
  const knownStrategies = new Set([...types.map(({ name }) => name), ...obsoleteStrategies]);
  return {
    projects: [...new Set([...features].flatMap((name) => heads.get(name)?.project ?? []))].toSorted(),
    featureCount: features.size,
    environments: [...environments].toSorted().map((name) => {
      const instancesThere = instances.filter(({ environment }) => environment === name);
      const sdksOf = (type?: 'frontend' | 'backend') => {
        const ofType = instancesThere.filter(({ sdkType }) => type === undefined || sdkType === type);
        return [...new Set(ofType.flatMap(({ sdkVersion }) => sdkVersion ?? []))].toSorted();
      };
      return {
        name,
        instanceCount: instancesThere.length,
        sdks: sdksOf(),
        frontendSdks: sdksOf('frontend'),
        backendSdks: sdksOf('backend'),
        lastSeen: instancesThere[0]?.lastSeen ?? null,
        issues: {
          missingFeatures: (used.get(name) ?? []).filter((feature) => features.has(feature) && !heads.has(feature)),
          outdatedSdks: sdksOf().filter(isOutdated),
        },
      };
    }),
    issues: { missingStrategies: application.strategies.filter((strategy) => !knownStrategies.has(strategy)) },
  };
}
