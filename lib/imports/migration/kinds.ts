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
import type { Remark, ServerKind } from './plan.ts';
import { archivedProjectKind, defaultStrategyKind, projectKind } from './project-kinds.ts';
import { textIn } from './reading.ts';
import {
  addonKind,
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
import type { SourceContent } from './source.ts';
import { adminTokenKind, tokenKind } from './token-kind.ts';

/** Parts of a server that have no place here. */
const absentKind: ServerKind = {
  title: 'what is not here',
  decisions: ({ source }) => [async () => ({ steps: [], refused: absences(source) })],
};

function absences({ lists, signOn, unreadable }: SourceContent): Remark[] {
  return [
    ...lists.releaseTemplates.map((template) => ({
      name: `release template ${textIn(template, 'name') ?? ''}`,
      reason: 'there are none here',
    })),
    ...signOn.map((name) => ({
      name,
      reason: 'set it up here: the provider has to know the new address, and secrets do not come along',
    })),
    ...unreadable.map(({ kind, name, reason }) => ({ name: `${kind} ${name}`, reason })),
  ];
}

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
