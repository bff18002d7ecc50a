import { ApiError } from '../errors.ts';
import { enterStages } from '../features/lifecycle/enter-stages.ts';
import { listStagesByUse } from '../features/lifecycle/lifecycle.ts';
import { reportAge } from '../features/lifecycle/report-age.ts';
import type { ReadModelFeature } from '../features/read-model/read-model.ts';
import { isPotentiallyStale, listFeatureTypes } from '../features/types/feature-types.ts';
import type { Request } from '../request.ts';
import { isAccessDenied } from '../store/client/exceptions.ts';
import { cachePerObject } from '../values/cache.ts';
import { mapChunks } from '../values/lists.ts';
import { hasElapsed, type Moment, readClocks } from '../values/time.ts';
import { announceApplications } from './applications/applications.ts';

/** Limits per flush, so that no SDK waits long; the rest follows with later reports. */
const featuresMax = 1_000;
const applicationsMax = 100;
const agesMax = 200;
const scopesMax = 100;
/** The number of features whose age is reported at the same time. */
const agesAtOnce = 8;
/** The time between two checks of the ages of features. */
const ageCheckMs = 60 * 60 * 1_000;

/**
 * The consequences of reports that are still to be written: new applications, and features that enter a new lifecycle
 * stage. Nearly all reports have none, since a feature goes live only once.
 */
class FollowUpBuffer {
  /** The names of used features by environment, with true if the use matters only in an environment of production. */
  #used = new Map<string, Map<string, boolean>>();
  #applications = new Set<string>();
  readonly #features = new Map<string, ReadonlyMap<string, ReadModelFeature>>();
  #agesCheckedAt: Moment | undefined;

  /** Keeps the features that a token can read, for the next check of their ages. */
  addFeatures(scope: string, features: ReadonlyMap<string, ReadModelFeature>): void {
    if (this.#features.size < scopesMax) this.#features.set(scope, features);
  }

  /** Adds a feature that was used in an environment. */
  recordUse(environment: string, { feature, summaries }: ReadModelFeature): void {
    const isOn = summaries.get(environment)?.enabled ?? false;
    // The type of the environment is not known here, so the highest possible stage counts.
    const [first] = listStagesByUse(feature, { isProduction: true, isOn });
    if (first === undefined) return;
    const used = this.#used.get(environment) ?? new Map<string, boolean>();
    if (used.size < featuresMax) this.#used.set(environment, used.set(feature.name, first === 'live'));
  }

  /** Adds an application that has reported. */
  recordApplication(appName: string): void {
    if (this.#applications.size < applicationsMax) this.#applications.add(appName);
  }

  /** Writes the consequences. What fails is repeated after a later report. */
  async flush(request: Request): Promise<void> {
    const [used, applications] = [this.#used, this.#applications];
    this.#used = new Map();
    this.#applications = new Set();
    if (applications.size > 0) {
      const isDone = await succeeds(() => announceApplications(request, [...applications]));
      if (!isDone) for (const appName of applications) this.recordApplication(appName);
    }
    for (const [environment, features] of used) {
      const namesOf = (isForProduction: boolean) =>
        [...features].flatMap(([name, isProductionOnly]) => (isProductionOnly === isForProduction ? name : []));
      await succeeds(() => enterStages(request, environment, namesOf(false), namesOf(true)));
    }
    await succeeds(() => this.#checkAges(request));
  }

  /** Checks the ages of features once an hour. Reports trigger it, since Lambda functions run only during requests. */
  async #checkAges(request: Request): Promise<void> {
    if (!hasElapsed(this.#agesCheckedAt, ageCheckMs)) return;
    this.#agesCheckedAt = readClocks();
    const all = [...this.#features.values()].flatMap((features) => [...features.values()]);
    this.#features.clear();
    const types = await listFeatureTypes(request);
    const at = Date.now();
    const changed = all.filter((entry) => isPotentiallyStale(entry.feature, types, at) !== entry.isReportedOld);
    // A feature that is marked as stale is not reported.
    const names = new Set(changed.filter(({ feature }) => !feature.stale).map(({ feature }) => feature.name));
    await mapChunks([...names].slice(0, agesMax), agesAtOnce, (name) => reportAge(request, name, types));
  }
}

/** Tells whether an attempt succeeds. An SDK must not be refused because a consequence of its report fails. */
async function succeeds(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    // Without the right to write, a repeat would fail, too.
    if (isAccessDenied(error)) return true;
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

const bufferOf = cachePerObject((_: Request['store']) => new FollowUpBuffer());

/** Returns the buffer of this process for a table. */
export function findFollowUpBuffer({ store }: Pick<Request, 'store'>): FollowUpBuffer {
  return bufferOf(store);
}
