import { randomUUID } from 'node:crypto';
import type { FlagRequest } from '../entity/effects.ts';
import { ApiError, invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { findMisnamed } from '../projects/feature-naming.ts';
import { type Project, projects } from '../projects/projects.ts';
import { type Request, withAllProjects } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { tagsMax } from '../tags/tag-schema.ts';
import { newTagWrites, tagCreatedEvent, tagIdentity } from '../tags/tags.ts';
import { distinctBy } from '../values/lists.ts';
import { changeFeature } from './change-feature.ts';
import { applyTagChange, assertTagTypes, loadTagReferences } from './change-tags.ts';
import { buildNewFeature } from './feature.ts';
import { featureCreated, featureLinkAdded } from './feature-events.ts';
import type { FeatureInput, FeatureLink, FeatureView } from './feature-schema.ts';
import { loadHeadsAndTombstones } from './feature-store.ts';
import { toFeatureView } from './feature-views.ts';
import type { FeatureHead } from './items/feature-items.ts';
import { loadTargetProject, requireNameAndCapacity } from './target-project.ts';

/**
 * Creates a feature that is off in all environments, and returns the complete feature.
 * @throws ApiError 404 for an unknown or archived project; 409 if a feature of any project has the name, archived or
 * not; 400 for unknown tag types, too many tags, a name that violates the project's naming pattern, or too many features.
 */
export function createFeature(
  request: FlagRequest,
  actor: Actor,
  projectId: string,
  { tags: tagsInput, ...fields }: FeatureInput,
): Promise<Versioned<FeatureView>> {
  const tags = distinctBy(tagsInput, tagIdentity);
  if (tags.length > tagsMax) throw invalid(`A feature has at most ${tagsMax} tags.`, 'tags');
  return changeFeature(request, actor, {
    name: fields.name,
    likelyEvents: 1 + 2 * tags.length,
    read: async () => {
      const [target, name, references] = await Promise.all([
        loadTargetProject(request, projectId),
        loadHeadOrTombstone(request, fields.name),
        loadTagReferences(request, tags),
      ]);
      return { target, ...name, references };
    },
    decide: ({ target, head, tombstone, references }, at) => {
      const { project } = target;
      requireFreeName(head);
      requireNameAndCapacity(target, fields.name);
      assertTagTypes(tagsInput, references, (index) => `tags.${index}.type`);
      const untagged = buildNewFeature({ ...fields, project: project.id, createdAt: at, createdBy: actor });
      const { after: tagged, events } = applyTagChange(untagged, { added: tags, removed: [] });
      const links = buildLinks(project, fields.name);
      const after = { ...tagged, links };
      return {
        stored: undefined,
        tombstone,
        after,
        events: [...featureCreated(untagged), ...events, ...links.map((link) => featureLinkAdded(after, link))],
        value: toFeatureView(after, project),
        sideEffects: {
          writes: references.unknown.flatMap((tag) => newTagWrites(tag, project.id)),
          events: references.unknown.map(tagCreatedEvent),
        },
      };
    },
  });
}

/** Builds the links that the project's templates give to a new feature. */
function buildLinks({ id: project, linkTemplates }: Project, feature: string): FeatureLink[] {
  return linkTemplates.map(({ title = null, urlTemplate }) => ({
    id: randomUUID(),
    url: urlTemplate.replaceAll('{{project}}', () => project).replaceAll('{{feature}}', () => feature),
    title,
  }));
}

/**
 * Checks that a name is free, and that it matches the project's naming pattern if the project exists.
 * @throws ApiError 409 if a feature has the name already; 400 if the name violates the naming pattern.
 */
export async function checkFreeName(request: Request, name: string, projectId: string | null = null): Promise<void> {
  const [{ head }, project] = await Promise.all([
    loadHeadOrTombstone(request, name),
    projectId === null ? undefined : projects.find(request, projectId),
  ]);
  requireFreeName(head);
  const reason = project && findMisnamed(project.value.featureNaming, [name]).get(name);
  if (reason !== undefined) throw invalid(reason, 'name');
}

/** Reads the feature of a name in any project, or its tombstone if it was deleted. Names are unique across projects. */
export async function loadHeadOrTombstone(request: Request, name: string) {
  const { heads, tombstones } = await loadHeadsAndTombstones(withAllProjects(request), [name]);
  return { head: heads.get(name), tombstone: tombstones.get(name) };
}

/** @throws ApiError 409 if a feature has the name already. */
export function requireFreeName(head: Pick<FeatureHead, 'name' | 'archivedAt'> | undefined): void {
  if (head === undefined) return;
  const kind = head.archivedAt === null ? 'A feature' : 'An archived feature';
  throw new ApiError('NameExistsError', `${kind} with the name "${head.name}" exists already.`);
}
