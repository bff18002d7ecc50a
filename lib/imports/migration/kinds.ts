import { deletedFeatureKind } from './deleted-feature-kind.ts';
import { favoriteKind } from './favorite-kind.ts';
import { featureKind } from './feature-kind.ts';
import { historyKind } from './history.ts';
import { accessKind, peopleKinds } from './people-kinds.ts';
import { buildKind, type ServerKind } from './plan.ts';
import { archivedProjectKind, defaultStrategyKind, projectKind } from './project-kinds.ts';
import { releaseTemplateKind } from './release-template-kind.ts';
import { environmentKind, kindsAfterFeatures, kindsBeforeFeatures } from './shared-kinds.ts';
import { tokenKinds } from './token-kind.ts';

/** Parts of a server that cannot be imported. */
const absentKind = buildKind('what is not here', async ({ source: { absent, unreadable } }) => ({
  steps: [],
  refused: [...absent, ...unreadable.map(({ kind, name, reason }) => ({ name: `${kind} ${name}`, reason }))],
  remarks: [{ name: 'counts of evaluations, sign-ins of the past', reason: 'they begin with the move' }],
}));

/** The kinds in the order of their import. A kind refers only to kinds before it. */
const importedKinds: readonly ServerKind[] = [
  environmentKind,
  ...peopleKinds,
  projectKind,
  ...kindsBeforeFeatures,
  defaultStrategyKind,
  releaseTemplateKind,
  featureKind,
  deletedFeatureKind,
  favoriteKind,
  archivedProjectKind,
  accessKind,
  ...tokenKinds,
  ...kindsAfterFeatures,
];

/** Imported things that the server has deleted. */
const deletedKind: ServerKind = {
  title: 'other things deleted there',
  decisions: (migration) =>
    importedKinds
      .toReversed()
      .flatMap(({ decideDeletions }) => (decideDeletions === undefined ? [] : [() => decideDeletions(migration)])),
};

export const serverKinds: readonly ServerKind[] = [...importedKinds, deletedKind, historyKind, absentKind];
