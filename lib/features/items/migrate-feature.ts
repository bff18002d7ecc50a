import { referenceWrites } from '../../entity/references.ts';
import { type Request, withoutReceipt } from '../../request.ts';
import * as keys from '../../store/keys.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { transact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { loadFeature } from '../feature-store.ts';
import { referencesOf } from '../strategies/strategy-referrers.ts';
import { featureItem, layout, type StoredFeature, summaryOf } from './feature-items.ts';
import { ownWrite } from './own-write.ts';
import { deliveryWrites, newMark, shelfWrites } from './shelf-items.ts';

/** Whether a feature is stored as this release or a later one stores it. */
export function isUpToDate({ own }: Pick<StoredFeature, 'own'>): boolean {
  return (own.layout ?? 0) >= layout;
}

/**
 * Brings a feature from the layout of an earlier release to that of this one: its own item says whether it is on (1),
 * what its strategies use knows of them (1), it is on the shelf of its project with what SDKs get of it (2), and lists
 * see which context fields its strategies compare (3). Nothing that callers see changes but its version, so that a
 * process of an older release which has read it before cannot overwrite it. Release 0.1 cannot read it from then on.
 */
export async function migrateFeature(request: Request, name: string): Promise<void> {
  await retryLostRaces(request, async () => {
    const stored = await loadFeature(request, name);
    if (stored === undefined || isUpToDate(stored)) return;
    await transact(withoutReceipt(request), migrationWrites(stored), undefined);
  });
}

function migrationWrites({ feature, own, revision }: StoredFeature): Write[] {
  const { name, project } = feature;
  const [version, mark] = [revision.version + 1, newMark()];
  const states = [...feature.environments].map(([environment, state]) => {
    const written = revision.summaries.get(environment)?.version ?? 0;
    return { environment, state, version: written, summary: summaryOf(state, written) };
  });
  const summaries = new Map(states.map(({ environment, summary }) => [environment, summary]));
  const item = { ...own, ...featureItem(own, feature, { ...revision, version, mark, summaries }) };
  // A process of the release before, which leaves the mark as it is, may have changed it since it was put on the shelf.
  const shelved = own.mark === undefined ? undefined : { project, mark: own.mark, own };
  return [
    ownWrite(name, revision, item),
    ...shelfWrites(name, shelved, { project, mark, own: item }, []),
    ...deliveryWrites(
      feature,
      states.filter((state) => state.version > 0),
    ),
    { remove: keys.projectFeatureBefore(project, name) },
    ...(own.layout === undefined ? strategyReferences(feature) : []),
  ];
}

function strategyReferences({ name, project, environments }: StoredFeature['feature']): Write[] {
  const references = [...environments].flatMap(([environment, { strategies }]) =>
    referencesOf({ project, feature: name, environment }, strategies).map(
      ({ target: _target, ...reference }) => reference,
    ),
  );
  return referenceWrites([], references);
}
