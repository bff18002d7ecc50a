import { randomUUID } from 'node:crypto';
import type { FlagRequest } from '../entity/step.ts';
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
import { featureView, newFeature } from './feature.ts';
import { featureCreated, featureLinkAdded } from './feature-events.ts';
import type { FeatureInput, FeatureLink, FeatureView } from './feature-schema.ts';
import { loadNames } from './feature-store.ts';
import type { FeatureHead } from './items/feature-items.ts';
import { loadTarget, requireAllowed } from './target-project.ts';

/**
 * Creates a feature in a project, off everywhere, and returns the complete feature.
 * @throws ApiError 404 for an unknown or archived project; 409 where a feature of any project has the name, archived or
 * not; 400 for unknown tag types, too many tags, a name that the project does not allow and one feature too many.
 */
export function createFeature(
  request: FlagRequest,
  actor: Actor,
  projectId: string,
  { tags: given, ...fields }: FeatureInput,
): Promise<Versioned<FeatureView>> {
  const tags = distinctBy(given, tagIdentity);
  if (tags.length > tagsMax) throw invalid(`A feature has at most ${tagsMax} tags.`, 'tags');
  return changeFeature(request, actor, {
    name: fields.name,
    likelyEvents: 1 + 2 * tags.length,
    read: async () => {
      const [target, name, references] = await Promise.all([
        loadTarget(request, projectId),
        loadName(request, fields.name),
        loadTagReferences(request, tags),
      ]);
      return { target, ...name, references };
    },
    decide: ({ target, head, remains, references }, at) => {
      const { project } = target;
      requireFreeName(head);
      requireAllowed(target, fields.name);
      assertTagTypes(given, references, (index) => `tags.${index}.type`);
      const untagged = newFeature({ ...fields, project: project.id, createdAt: at, createdBy: actor });
      const { after: tagged, events } = applyTagChange(untagged, { added: tags, removed: [] });
      const links = linksFrom(project, fields.name);
      const after = { ...tagged, links };
      return {
        stored: undefined,
        remains,
        after,
        events: [...featureCreated(untagged), ...events, ...links.map((link) => featureLinkAdded(after, link))],
        value: featureView(after, project),
        besides: {
          writes: references.unknown.flatMap((tag) => newTagWrites(tag, project.id)),
          events: references.unknown.map(tagCreatedEvent),
        },
      };
    },
  });
}

/** Returns the links that the project gives to each new feature. */
function linksFrom({ id: project, linkTemplates }: Project, feature: string): FeatureLink[] {
  return linkTemplates.map(({ title = null, urlTemplate }) => ({
    id: randomUUID(),
    url: urlTemplate.replaceAll('{{project}}', () => project).replaceAll('{{feature}}', () => feature),
    title,
  }));
}

/**
 * Checks that no feature has a name, and that the project allows it, if there is one of that id.
 * @throws ApiError 409 where one has it already; 400 for a name that the project does not allow.
 */
export async function checkFreeName(request: Request, name: string, projectId: string | null = null): Promise<void> {
  const [{ head }, project] = await Promise.all([
    loadName(request, name),
    projectId === null ? undefined : projects.find(request, projectId),
  ]);
  requireFreeName(head);
  const reason = project && findMisnamed(project.value.featureNaming, [name]).get(name);
  if (reason !== undefined) throw invalid(reason, 'name');
}

/** Reads the feature of a name, of whatever project, or the remains of a deleted one: no two features share a name. */
export async function loadName(request: Request, name: string) {
  const { heads, remains } = await loadNames(withAllProjects(request), [name]);
  return { head: heads.get(name), remains: remains.get(name) };
}

/** @throws ApiError 409 where a feature has the name already. */
export function requireFreeName(head: Pick<FeatureHead, 'name' | 'archivedAt'> | undefined): void {
  if (head === undefined) return;
  const kind = head.archivedAt === null ? 'A feature' : 'An archived feature';
  throw new ApiError('NameExistsError', `${kind} with the name "${head.name}" exists already.`);
}
