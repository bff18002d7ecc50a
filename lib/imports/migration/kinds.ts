import { deletedFeatureKind } from './deleted-feature-kind.ts';
import { favoriteKind } from './favorite-kind.ts';
import { featureKind } from './feature-kind.ts';
import { historyKind } from './history.ts';
import {
  accessKind,
  builtInRoleKind,
  groupKind,
  membershipKind,
  roleKind,
  serviceAccountKind,
  userKind,
} from './people-kinds.ts';
import { kindAtOnce, type ServerKind } from './plan.ts';
import { archivedProjectKind, defaultStrategyKind, projectKind } from './project-kinds.ts';
import {
  addonKind,
  applicationKind,
  bannerKind,
  contextFieldKind,
  environmentKind,
  featureTypeKind,
  originKind,
  segmentKind,
  strategyTypeKind,
  tagKind,
  tagTypeKind,
} from './shared-kinds.ts';
import { adminTokenKind, tokenKind } from './token-kind.ts';

/** Parts of a server that have no place here. */
const absentKind = kindAtOnce('what is not here', async ({ source: { absent, unreadable } }) => ({
  steps: [],
  refused: [...absent, ...unreadable.map(({ kind, name, reason }) => ({ name: `${kind} ${name}`, reason }))],
  remarks: [{ name: 'counts of evaluations, sign-ins of the past', reason: 'they begin with the move' }],
}));

/** In an order in which nothing refers to what comes after it. */
const comingKinds: readonly ServerKind[] = [
  environmentKind,
  builtInRoleKind,
  roleKind,
  userKind,
  serviceAccountKind,
  groupKind,
  membershipKind,
  projectKind,
  tagTypeKind,
  tagKind,
  contextFieldKind,
  strategyTypeKind,
  segmentKind,
  featureTypeKind,
  defaultStrategyKind,
  featureKind,
  deletedFeatureKind,
  favoriteKind,
  archivedProjectKind,
  accessKind,
  tokenKind,
  adminTokenKind,
  addonKind,
  applicationKind,
  bannerKind,
  originKind,
];

/** Things that were deleted there since they came. */
const goneKind: ServerKind = {
  title: 'other things deleted there',
  decisions: (migration) =>
    comingKinds.toReversed().flatMap(({ gone }) => (gone === undefined ? [] : [() => gone(migration)])),
};

export const movedKinds: readonly ServerKind[] = [...comingKinds, goneKind, historyKind, absentKind];
