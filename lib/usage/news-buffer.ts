import { ApiError } from '../errors.ts';
import { enterStages } from '../features/lifecycle/enter-stages.ts';
import { listStagesByUse } from '../features/lifecycle/lifecycle.ts';
import { reportAge } from '../features/lifecycle/report-age.ts';
import type { ShelvedFeature } from '../features/shelf/shelf.ts';
import { isPotentiallyStale, listFeatureTypes } from '../features/types/feature-types.ts';
import type { Request } from '../request.ts';
import { isAccessDenied } from '../store/client/exceptions.ts';
import { cachePerObject } from '../values/cache.ts';
import { mapChunks } from '../values/lists.ts';
import { hasElapsed, type Moment, readClocks } from '../values/time.ts';
import { announceApplications } from './applications/applications.ts';

/** More than this has to wait for the next report, so that no SDK waits long. */
const featuresMax = 1_000;
const applicationsMax = 100;
const agesMax = 200;
const scopesMax = 100;
/** The number of features whose age is noted at the same time. */
const agesAtOnce = 8;
/** The milliseconds between two looks at the ages of features. */
const lookMs = 60 * 60 * 1_000;

/**
 * The news in reports since the last look: unknown applications, and features that may enter a new stage by their use.
 * Nothing is written for all others, which are nearly all: a feature goes live once.
 */
class NewsBuffer {
  /** By environment: features by name, with true for those of which a use is news in production only. */
  #used = new Map<string, Map<string, boolean>>();
  #applications = new Set<string>();
  readonly #features = new Map<string, ReadonlyMap<string, ShelvedFeature>>();
  #lookedAt: Moment | undefined;

  /** Keeps the features that a token may read, for the next look at their age. */
  noteFeatures(scope: string, features: ReadonlyMap<string, ShelvedFeature>): void {
    if (this.#features.size < scopesMax) this.#features.set(scope, features);
  }

  /** Says that a feature was used in an environment. */
  noteUse(environment: string, { feature, summaries }: ShelvedFeature): void {
    const isOn = summaries.get(environment)?.enabled ?? false;
    // Of the environment, only the name is known here.
    const [first] = listStagesByUse(feature, { isProduction: true, isOn });
    if (first === undefined) return;
    const used = this.#used.get(environment) ?? new Map<string, boolean>();
    if (used.size < featuresMax) this.#used.set(environment, used.set(feature.name, first === 'live'));
  }

  /** Says that an application has reported. */
  noteApplication(appName: string): void {
    if (this.#applications.size < applicationsMax) this.#applications.add(appName);
  }

  /** Makes it known. Where that fails, it is news again with the next report. */
  async flush(request: Request): Promise<void> {
    const [used, applications] = [this.#used, this.#applications];
    this.#used = new Map();
    this.#applications = new Set();
    if (applications.size > 0) {
      const isDone = await succeeds(() => announceApplications(request, [...applications]));
      if (!isDone) for (const appName of applications) this.noteApplication(appName);
    }
    for (const [environment, features] of used) {
      const names = (inProduction: boolean) =>
        [...features].flatMap(([name, isOnly]) => (isOnly === inProduction ? name : []));
      await succeeds(() => enterStages(request, environment, names(false), names(true)));
    }
    await succeeds(() => this.#lookAtAges(request));
  }

  /** Nothing runs while nobody asks, so reports are what makes time pass: of the features of their tokens, once an hour. */
  async #lookAtAges(request: Request): Promise<void> {
    if (!hasElapsed(this.#lookedAt, lookMs)) return;
    this.#lookedAt = readClocks();
    const all = [...this.#features.values()].flatMap((features) => [...features.values()]);
    this.#features.clear();
    const types = await listFeatureTypes(request);
    const at = Date.now();
    const changed = all.filter((each) => isPotentiallyStale(each.feature, types, at) !== each.isReportedOld);
    // A stale one is not looked at again until it is not stale any more.
    const names = new Set(changed.filter(({ feature }) => !feature.stale).map(({ feature }) => feature.name));
    await mapChunks([...names].slice(0, agesMax), agesAtOnce, (name) => reportAge(request, name, types));
  }
}

/** No SDK is refused for what it has not asked for. */
async function succeeds(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    // A process without the right to write has nothing to try again.
    if (isAccessDenied(error)) return true;
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

const memoryOf = cachePerObject((_: Request['store']) => new NewsBuffer());

/** The memory of this process for a table. */
export function findNewsBuffer({ store }: Pick<Request, 'store'>): NewsBuffer {
  return memoryOf(store);
}
