import { ApiError, invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { loadProject } from '../projects/projects.ts';
import type { FeatureInput, FeatureView } from '../schemas/feature.ts';
import { tagsMax } from '../schemas/tag.ts';
import type { Table } from '../table/table.ts';
import type { Versioned } from '../table/versioned.ts';
import { newTagWrites, tagCreated } from '../tags/tags.ts';
import { changeFeature } from './change-feature.ts';
import { assertTagTypes, distinctTags, loadTagReferences, retagged } from './change-tags.ts';
import { featureView, newFeature } from './feature.ts';
import { featureCreated } from './feature-events.ts';
import type { FeatureHead } from './feature-items.ts';
import { loadNames } from './feature-store.ts';

/**
 * Creates a feature in a project, off everywhere, and answers it complete.
 * @throws ApiError 404 for an unknown project; 409 where a feature of any project has the name, archived or not; 400 for
 * unknown tag types and too many tags.
 */
export function createFeature(
  table: Table,
  actor: Actor,
  projectId: string,
  { tags: given, ...fields }: FeatureInput,
): Promise<Versioned<FeatureView>> {
  const tags = distinctTags(given);
  if (tags.length > tagsMax) throw invalid(`A feature has at most ${tagsMax} tags.`, 'tags');
  return changeFeature(table, actor, fields.name, {
    likelyEvents: 1 + 2 * tags.length,
    read: async () => {
      const [project, name, references] = await Promise.all([
        loadProject(table, projectId),
        loadName(table, fields.name),
        loadTagReferences(table, tags),
      ]);
      return { project, ...name, references };
    },
    decide: ({ project, head, remains, references }, at) => {
      requireFreeName(head);
      assertTagTypes(given, references, (index) => `tags.${index}.type`);
      const untagged = newFeature({ ...fields, project: project.id, createdAt: at, createdBy: actor });
      const { after, events } = retagged(untagged, { added: tags, removed: [] });
      return {
        stored: undefined,
        remains,
        after,
        events: [...featureCreated(untagged), ...events],
        value: featureView(after, project),
        besides: { writes: references.unknown.flatMap(newTagWrites), events: references.unknown.map(tagCreated) },
      };
    },
  });
}

/**
 * Whether a feature can be created with a name.
 * @throws ApiError 409 where one has it already.
 */
export async function checkFreeName(table: Table, name: string): Promise<void> {
  requireFreeName((await loadName(table, name)).head);
}

/** What there is under a name. */
export async function loadName(table: Table, name: string) {
  const { heads, remains } = await loadNames(table, [name]);
  return { head: heads.get(name), remains: remains.get(name) };
}

/** @throws ApiError 409 where a feature has the name already. */
export function requireFreeName(head: Pick<FeatureHead, 'name' | 'archivedAt'> | undefined): void {
  if (head === undefined) return;
  const kind = head.archivedAt === null ? 'A feature' : 'An archived feature';
  throw new ApiError('NameExistsError', `${kind} with the name "${head.name}" exists already.`);
}
