import { systemUser } from '../../events/actor.ts';
import {
  milestonesInput,
  type ReleaseTemplateInput,
  releaseTemplateInput,
} from '../../release-plans/template-input-schema.ts';
import { assertUsable, type Referable } from '../../release-plans/template-references.ts';
import { buildReleaseTemplate, idsOfParts, releaseTemplates } from '../../release-plans/templates.ts';
import { segments } from '../../segments/segments.ts';
import { strategyTypes } from '../../strategy-types/strategy-types.ts';
import { integer, name, object } from '../../values/primitives.ts';
import { entityKind } from './entity-kind.ts';
import type { ServerMigration } from './plan.ts';
import { segmentIdsOf } from './project-kinds.ts';
import { ignoreInvalid, time } from './server-values.ts';
import { requireImported } from './shared-kinds.ts';

/** Release templates. They, their milestones and their strategies keep the ids of the server. */
export const releaseTemplateKind = entityKind({
  entity: releaseTemplates,
  list: 'releaseTemplates',
  schema: object({
    ...releaseTemplateInput.entries,
    id: ignoreInvalid(name),
    // Lists of templates leave out the milestones, and without them a template is of no use.
    milestones: milestonesInput,
    createdByUserId: ignoreInvalid(integer),
    createdAt: time,
    archivedAt: time,
  }),
  find: ({ id, name: sentName }, stored) =>
    [...stored.values()].find(({ value }) => value.id === id) ??
    [...stored.values()].find(({ value }) => value.name === sentName),
  make: async (entry, { at, before, migration }) => {
    const { id, project = null, createdAt, createdByUserId, archivedAt, ...content } = entry;
    const input = { ...content, project, milestones: withSegmentsHere(migration, content.milestones) };
    await requireImported(migration, project === null ? [] : [project]);
    assertUsable(project, input, await loadReferable(migration), before);
    const user = createdByUserId === undefined ? undefined : migration.target.idOf('user', createdByUserId);
    const origin = {
      id: before?.id ?? id,
      createdByUserId: before?.createdByUserId ?? user ?? systemUser.id,
      createdAt: before?.createdAt ?? createdAt ?? at,
    };
    return { ...buildReleaseTemplate(input, origin, idsOfParts(input)), archivedAt: archivedAt ?? null };
  },
});

function withSegmentsHere(migration: ServerMigration, milestones: ReleaseTemplateInput['milestones']) {
  return milestones.map(({ strategies = [], ...milestone }) => ({
    ...milestone,
    strategies: strategies.map(({ segments: sourceIds, ...strategy }) => ({
      ...strategy,
      ...(sourceIds && { segments: segmentIdsOf(migration, sourceIds) }),
    })),
  }));
}

/** Loads the things to which strategies can refer. Values that have become illegal on the server are imported as they are. */
async function loadReferable({ request, target }: ServerMigration): Promise<Referable> {
  const [types, allSegments] = await Promise.all([
    strategyTypes.listVersioned(request),
    segments.listVersioned(request),
  ]);
  const segmentsHere = target.withPlanned(
    segments.kind,
    allSegments.map((segment) => [segment.value.id, segment] as const),
  );
  return {
    types: target.withPlanned(
      strategyTypes.kind,
      types.map((type) => [type.value.name, type] as const),
    ),
    segments: [...segmentsHere.values()].map(({ value }) => value),
    legalValues: new Map(),
  };
}
