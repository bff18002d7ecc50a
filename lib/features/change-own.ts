import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { NewEvent } from '../events/event.ts';
import { loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { type ChangeOfFeature, changeFeature } from './change-feature.ts';
import type { Feature } from './feature.ts';
import {
  featureCompleted,
  featureLinkAdded,
  featureLinkRemoved,
  featureLinkUpdated,
  featureUncompleted,
} from './feature-events.ts';
import type { Completion, FeatureLink, Lifecycle, LinkInput } from './feature-schema.ts';
import { loadFeatureIn } from './feature-store.ts';
import { loadPlaced } from './get-feature.ts';
import type { StoredFeature } from './items/feature-items.ts';
import { entered, shownStage, without } from './lifecycle/lifecycle.ts';
import { requireFeature, requireLive } from './require-feature.ts';
import type { MetadataPlace } from './update-feature.ts';

type DecideOwn = (feature: Feature, at: string) => { readonly after: Feature; readonly event: NewEvent | undefined };

/**
 * Changes the properties of a live feature that are the same in all environments.
 * @param decide pure; without an event nothing changes.
 * @throws ApiError 404 for an unknown project or feature; what `decide` throws; 412 by `If-Match`.
 */
export function changeOwn(
  request: Request,
  actor: Actor,
  place: MetadataPlace,
  decide: DecideOwn,
): Promise<Versioned<undefined>> {
  return changeFeature(request, actor, changingOwn(request, place, decide));
}

/** The change of `changeOwn`. */
export function changingOwn(
  request: Request,
  { projectId, featureName }: MetadataPlace,
  decide: DecideOwn,
): ChangeOfFeature<{ readonly stored: StoredFeature | undefined }, undefined> {
  return {
    name: featureName,
    read: async () => {
      const [, stored] = await Promise.all([loadProject(request, projectId), loadFeatureIn(request, featureName, [])]);
      return { stored };
    },
    decide: ({ stored: found }, at) => {
      const stored = requireLive(requireFeature(found, featureName, projectId));
      const { after, event } = decide(stored.feature, at);
      return { stored, after, events: event === undefined ? [] : [event], value: undefined };
    },
  };
}

/** One link of a feature. */
export interface LinkPlace extends MetadataPlace {
  readonly linkId: string;
}

/** Unleash's limit. */
export const linksMax = 10;

/**
 * Adds a link to a feature.
 * @throws ApiError 404 for an unknown project or feature; 400 for an address that no browser should follow, and for one
 * link too many; 412 by `If-Match`.
 */
export function addLink(
  request: Request,
  actor: Actor,
  place: MetadataPlace,
  input: LinkInput,
): Promise<Versioned<undefined>> {
  const link = { id: randomUUID(), url: addressOf(input.url), title: input.title ?? null };
  return changeOwn(request, actor, place, (feature) => {
    if (feature.links.length >= linksMax) throw invalid(`A feature has at most ${linksMax} links.`);
    return { after: { ...feature, links: [...feature.links, link] }, event: featureLinkAdded(feature, link) };
  });
}

/**
 * Changes a link of a feature; a title that is left out stays as it is.
 * @throws as `addLink` does; 404 for an unknown link.
 */
export function updateLink(
  request: Request,
  actor: Actor,
  place: LinkPlace,
  input: LinkInput,
): Promise<Versioned<undefined>> {
  const url = addressOf(input.url);
  return changeOwn(request, actor, place, (feature) => {
    const before = requireLink(feature, place.linkId);
    const { title = before.title } = input;
    const link = { ...before, url, title };
    return {
      after: { ...feature, links: feature.links.map((each) => (each === before ? link : each)) },
      event: isDeepStrictEqual(link, before) ? undefined : featureLinkUpdated(feature, before, link),
    };
  });
}

/**
 * Removes a link from a feature.
 * @throws ApiError 404 for an unknown project, feature or link; 412 by `If-Match`.
 */
export function removeLink(request: Request, actor: Actor, place: LinkPlace): Promise<Versioned<undefined>> {
  return changeOwn(request, actor, place, (feature) => {
    const link = requireLink(feature, place.linkId);
    const links = feature.links.filter((each) => each !== link);
    return { after: { ...feature, links }, event: featureLinkRemoved(feature, link) };
  });
}

function requireLink({ links }: Feature, id: string): FeatureLink {
  const link = links.find((each) => each.id === id);
  if (link === undefined) throw notFound('link', id);
  return link;
}

/**
 * Returns the address in full: `https` where it names no scheme. Pages show it as a link, so a script in it would run
 * with the rights of the person who clicks on it.
 */
function addressOf(text: string): string {
  const address = linkAddress(text);
  if (address === undefined) throw invalid('An address of http or https is required.', 'url');
  return address;
}

/** Returns the address as given, with `https` where it names no scheme. */
export function withScheme(text: string): string {
  return text.includes('://') ? text : `https://${text}`;
}

/** Returns the address as `addressOf` does; undefined where it is invalid. */
export function linkAddress(text: string): string | undefined {
  const full = withScheme(text);
  const url = URL.canParse(full) ? new URL(full) : undefined;
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}

/**
 * Lists the stages that a feature has entered, oldest first.
 * @throws ApiError 404 for an unknown project or feature.
 */
export async function listStages(request: Request, place: MetadataPlace): Promise<Versioned<readonly Lifecycle[]>> {
  const { feature, revision } = await loadPlaced(request, place);
  return { value: feature.stages.map(shownStage), version: revision.version };
}

/**
 * Marks a feature as completed. Repeated, it can change the outcome.
 * @throws ApiError 404 for an unknown project or feature; 412 by `If-Match`.
 */
export function completeFeature(
  request: Request,
  actor: Actor,
  place: MetadataPlace,
  completion: Completion,
): Promise<Versioned<undefined>> {
  return changeOwn(request, actor, place, (feature, at) => {
    const life = entered(feature, { stage: 'completed', ...completion, enteredStageAt: at });
    const isSame = isDeepStrictEqual(life.stages, feature.stages);
    return { after: { ...feature, ...life }, event: isSame ? undefined : featureCompleted(feature, completion) };
  });
}

/**
 * Says that a feature has not done its work yet.
 * @throws ApiError 404 for an unknown project or feature; 412 by `If-Match`.
 */
export function uncompleteFeature(request: Request, actor: Actor, place: MetadataPlace): Promise<Versioned<undefined>> {
  return changeOwn(request, actor, place, (feature) => {
    const wasCompleted = feature.stages.some(({ stage }) => stage === 'completed');
    return {
      after: { ...feature, ...without(feature, 'completed') },
      event: wasCompleted ? featureUncompleted(feature) : undefined,
    };
  });
}
