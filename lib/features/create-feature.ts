import { randomUUID } from 'node:crypto';
import { ApiError, invalid, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { misnamed } from '../projects/feature-naming.ts';
import { type Project, projects } from '../projects/projects.ts';
import { everything, type Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { tagsMax } from '../tags/tag-schema.ts';
import { newTagWrites, tagCreated, tagKey } from '../tags/tags.ts';
import { distinctBy } from '../values/duplicates.ts';
import { changeFeature } from './change-feature.ts';
import { assertTagTypes, loadTagReferences, retagged } from './change-tags.ts';
import { childrenMax, tooManyChildren } from './dependencies/parent-rules.ts';
import { environmentOfFeature, type Feature, featureView, newFeature } from './feature.ts';
import {
  featureCreated,
  featureDependencyAdded,
  featureLinkAdded,
  featureStrategyAdded,
  featureVariantsUpdated,
} from './feature-events.ts';
import type { Dependency, FeatureInput, FeatureLink, FeatureView } from './feature-schema.ts';
import { loadFeature, loadHeads, loadNames } from './feature-store.ts';
import type { FeatureHead } from './items/feature-items.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import type { Strategy } from './strategies/strategy-schema.ts';
import { loadTarget, requireAllowed } from './target-project.ts';
import type { MetadataPlace } from './update-feature.ts';

/**
 * Creates a feature in a project, off everywhere, and returns the complete feature.
 * @throws ApiError 404 for an unknown or archived project; 409 where a feature of any project has the name, archived or
 * not; 400 for unknown tag types, too many tags, a name that the project does not allow and one feature too many.
 */
export function createFeature(
  request: Request,
  actor: Actor,
  projectId: string,
  { tags: given, ...fields }: FeatureInput,
): Promise<Versioned<FeatureView>> {
  const tags = distinctBy(given, tagKey);
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
      const { after: tagged, events } = retagged(untagged, { added: tags, removed: [] });
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
          events: references.unknown.map(tagCreated),
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
  const reason = project && misnamed(project.value.featureNaming, [name]).get(name);
  if (reason !== undefined) throw invalid(reason, 'name');
}

/** Reads the feature of a name, of whatever project, or the remains of a deleted one: no two features share a name. */
export async function loadName(request: Request, name: string) {
  const { heads, remains } = await loadNames(everything(request), [name]);
  return { head: heads.get(name), remains: remains.get(name) };
}

/** @throws ApiError 409 where a feature has the name already. */
export function requireFreeName(head: Pick<FeatureHead, 'name' | 'archivedAt'> | undefined): void {
  if (head === undefined) return;
  const kind = head.archivedAt === null ? 'A feature' : 'An archived feature';
  throw new ApiError('NameExistsError', `${kind} with the name "${head.name}" exists already.`);
}

export interface CloneInput {
  readonly name: string;
  /** True if strategies with the old name as their group id get the new one. */
  readonly replaceGroupId: boolean;
}

/**
 * Creates a feature as another one is: with its fields, strategies, variants and dependencies, but off everywhere and
 * without tags.
 * @throws ApiError 404 for an unknown project or feature, and for an archived one; 409 where a feature has the name;
 * 400 for a name that the project does not allow and one feature too many; 412 where `If-Match` names other versions of the
 * feature that is cloned.
 */
export function cloneFeature(
  request: Request,
  actor: Actor,
  { projectId, featureName }: MetadataPlace,
  input: CloneInput,
): Promise<Versioned<FeatureView>> {
  return changeFeature(request, actor, {
    name: input.name,
    likelyEvents: 10,
    read: async () => {
      const [target, name, source] = await Promise.all([
        loadTarget(request, projectId),
        loadName(request, input.name),
        loadFeature(request, featureName),
      ]);
      const parents = await loadHeads(request, source?.feature.dependencies.map(({ feature }) => feature) ?? []);
      return { target, ...name, source, parents };
    },
    expected: { what: `feature "${featureName}"`, revisionOf: ({ source }) => source?.revision },
    decide: ({ target, head, remains, source, parents }, at) => {
      const { project } = target;
      const { feature: original, revision } = requireLive(requireFeature(source, featureName, projectId));
      requireFreeName(input.name === featureName ? original : head);
      requireAllowed(target, input.name);
      const { type, description, stale, impressionData } = original;
      const bare = newFeature({
        ...{ type, description, stale, impressionData, name: input.name, project: projectId },
        createdAt: at,
        createdBy: actor,
      });
      const after = {
        ...bare,
        environments: clonedEnvironments(original, project, input),
        // The parent of what was archived by an update may be archived itself.
        dependencies: original.dependencies.filter(({ feature }) => parents.get(feature)?.archivedAt === null),
      };
      const children = ({ feature }: Dependency) => (parents.get(feature)?.revision.childCount ?? 0) + 1;
      const overfull = after.dependencies.filter((each) => children(each) > childrenMax);
      if (overfull.length > 0)
        throw invalidRequest(overfull.map((each) => ({ message: tooManyChildren(each.feature, children(each)) })));
      return {
        stored: undefined,
        remains,
        after,
        events: [...featureCreated(bare), ...contentEvents(after)],
        value: featureView(after, project),
        // What it is made of is as it was read, so that the clone is not one of what is deleted or changed already.
        besides: { writes: [{ check: keys.feature(featureName), when: { version: revision.version } }], events: [] },
      };
    },
  });
}

function clonedEnvironments(original: Feature, project: Project, input: CloneInput): Feature['environments'] {
  return new Map(
    project.environments.map(({ name }) => {
      const { strategies, variants } = environmentOfFeature(original, name);
      return [name, { enabled: false, variants, strategies: strategies.map((each) => cloned(each, input)) }];
    }),
  );
}

function cloned(strategy: Strategy, { name, replaceGroupId }: CloneInput): Strategy {
  const { parameters } = strategy;
  const isGrouped = replaceGroupId && 'groupId' in parameters;
  return {
    ...strategy,
    id: randomUUID(),
    featureName: name,
    parameters: isGrouped ? { ...parameters, groupId: name } : parameters,
  };
}

function contentEvents(feature: Feature): NewEvent[] {
  return [
    ...[...feature.environments].flatMap(([environment, { strategies, variants }]) => [
      ...(variants.length > 0 ? [featureVariantsUpdated(feature, environment, [])] : []),
      ...strategies.map((strategy) => featureStrategyAdded(feature, environment, strategy)),
    ]),
    ...feature.dependencies.map((dependency) => featureDependencyAdded(feature, dependency)),
  ];
}
