import { referenceWrites } from '../entity/references.ts';
import { keys } from '../table/keys.ts';
import { retryLostRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { featureItem, layout, type StoredFeature } from './feature-items.ts';
import { loadFeature } from './feature-store.ts';
import { referencesOf } from './strategy-referrers.ts';

/** Whether a feature is stored as this release or a later one stores it. */
export function isUpToDate({ own }: Pick<StoredFeature, 'own'>): boolean {
  return (own.layout ?? 0) >= layout;
}

/**
 * Brings a feature from the layout of release 0.1 to that of this one: its own item says whether it is on, its project
 * lists it, and what its strategies use knows of them. Nothing that callers see changes but its version, so that a process
 * of release 0.1 which has read it before cannot overwrite it. That release cannot read it from then on.
 */
export async function migrateFeature(table: Table, name: string): Promise<void> {
  await retryLostRaces(table, async () => {
    const stored = await loadFeature(table, name);
    if (stored === undefined || isUpToDate(stored)) return;
    const { feature, own, revision } = stored;
    const { version } = revision;
    const item = { ...own, ...featureItem(own, feature, { ...revision, version: version + 1 }) };
    const references = [...feature.environments].flatMap(([environment, { strategies }]) =>
      referencesOf({ project: feature.project, feature: name, environment }, strategies).map(
        ({ target: _target, ...reference }) => reference,
      ),
    );
    // A request's receipt is for what the request asks for, not for this.
    const { receipt: _receipt, ...ours } = table;
    const listed = feature.archivedAt === null ? [{ put: keys.projectFeature(feature.project, name), item: {} }] : [];
    const writes = [
      { put: keys.feature(name), item, when: { version } },
      ...listed,
      ...referenceWrites([], references),
    ];
    await transact(ours, writes, undefined);
  });
}
