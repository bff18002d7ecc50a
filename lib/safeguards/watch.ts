import { isDeepStrictEqual } from 'node:util';
import { withSuspension } from '../change-requests/schedules/suspension.ts';
import { ignoreNotFound } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { changeFeature } from '../features/change-feature.ts';
import { environmentOfFeature, type Feature, withFeatureEnvironment } from '../features/feature.ts';
import { loadFeatureIn, loadFeatureInWithRetry } from '../features/feature-store.ts';
import * as featureKeys from '../features/keys.ts';
import {
  decideTriggers,
  listWatchedSafeguards,
  type OwnedSafeguard,
  type Trigger,
} from '../features/plans/trigger-safeguards.ts';
import { requireFeature, requireLive } from '../features/require-feature.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { readItem } from '../store/read.ts';
import { tryTransact } from '../store/transactions/transact.ts';
import { workThrough } from '../store/work-through.ts';
import type { TimeBudget } from '../values/time-budget.ts';
import { judgeSafeguard } from './measure.ts';
import { findEvidenceStart } from './window.ts';

/** A feature in an environment with a running safeguard, in the list of the clock. */
interface Watched {
  readonly environment: string;
  readonly featureName: string;
  /** The time since which it has been there. */
  readonly since: string;
}

type WatchedItem = Key & Pick<Watched, 'since'>;

function parseWatched({ sk, since }: WatchedItem): Watched {
  const [environment = '', featureName = ''] = sk.split('#');
  return { environment, featureName, since };
}

/** The number of features that are watched at the same time. */
const watchedAtOnce = 50;

/**
 * Evaluates all running safeguards, and does what those that trigger demand. Several processes can run this at the same time, and each can
 * die at any point: a safeguard acts once, in one transaction with its event.
 * @param options.fromFirst true for news that concern all of them, also those that the last call has evaluated.
 * @returns false if some are left for the next call.
 * @throws Error the first failure, after all other safeguards.
 */
export function watchSafeguards(
  request: Request,
  now: Date,
  budget?: TimeBudget,
  { fromFirst = false } = {},
): Promise<boolean> {
  const options = { atOnce: watchedAtOnce, budget, fromFirst };
  return workThrough<WatchedItem>(request, featureKeys.allGuarded(), options, (item) =>
    watchFeature(request, parseWatched(item), now),
  );
}

/** Evaluates the running safeguards of a feature in an environment at once, for example after a signal; nothing if there are none. */
export async function watchNow(request: Request, environment: string, featureName: string, now: Date): Promise<void> {
  const item = await readItem<WatchedItem>(request, featureKeys.guarded(environment, featureName));
  if (item !== undefined) await watchFeature(request, parseWatched(item), now);
}

async function watchFeature(request: Request, watched: Watched, now: Date): Promise<void> {
  const { featureName, environment, since: watchedSince } = watched;
  const stored = await loadFeatureInWithRetry(request, featureName, [environment]);
  const safeguards = stored === undefined ? [] : listSafeguardsOf(stored.feature, environment);
  if (stored === undefined || safeguards.length === 0) return forget(request, watched);
  const state = environmentOfFeature(stored.feature, environment);
  const place = { project: stored.feature.project, featureName, environment, watchedSince, now };
  const outcomes = await Promise.allSettled(
    safeguards.map(async (owned): Promise<Trigger[]> => {
      const verdict = await judgeSafeguard(request, owned, state, place);
      if (verdict.state !== 'triggered') return [];
      return [{ ...owned, evidence: verdict }];
    }),
  );
  const triggers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  if (triggers.length > 0) await storeActions(request, watched, stored.feature, triggers);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function listSafeguardsOf(feature: Feature, environment: string): OwnedSafeguard[] {
  return feature.archivedAt === null ? listWatchedSafeguards(environmentOfFeature(feature, environment)) : [];
}

/** Removes a feature without a running safeguard from the list, where it would keep the clock on: a partial restore can leave one there. */
async function forget(request: Request, { environment, featureName, since }: Watched): Promise<void> {
  await tryTransact(request, { remove: featureKeys.guarded(environment, featureName), when: { same: { since } } });
}

/**
 * Stores the actions of safeguards. They need no approval, since they lead to a state that was live before, or to off.
 * @param evaluated the feature as it was when its evidence was measured.
 */
async function storeActions(
  request: Request,
  { environment, featureName, since }: Watched,
  evaluated: Feature,
  triggers: readonly Trigger[],
): Promise<void> {
  const startIn = (feature: Feature, trigger: Trigger) =>
    findEvidenceStart(environmentOfFeature(feature, environment), trigger, since);
  const { project } = evaluated;
  await ignoreNotFound(
    changeFeature(withSuspension(request), systemUser, {
      name: featureName,
      likelyEvents: 3,
      read: async () => ({ stored: await loadFeatureIn(request, featureName, [environment]) }),
      decide: ({ stored: found }, at) => {
        const stored = requireLive(requireFeature(found, featureName, project));
        const { feature } = stored;
        // Somebody may have started another milestone in the meantime. The evidence is not about that one.
        const current = triggers.filter((each) => isDeepStrictEqual(startIn(feature, each), startIn(evaluated, each)));
        const before = environmentOfFeature(feature, environment);
        const { state, events } = decideTriggers(feature, environment, before, current, at);
        return { stored, after: withFeatureEnvironment(feature, environment, state), events, value: undefined };
      },
    }),
  );
}
