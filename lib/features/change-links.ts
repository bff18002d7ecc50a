import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FlagRequest } from '../entity/step.ts';
import { invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { changeOwn } from './change-own.ts';
import type { Feature } from './feature.ts';
import { featureLinkAdded, featureLinkRemoved, featureLinkUpdated } from './feature-events.ts';
import type { FeatureLink, LinkInput } from './feature-schema.ts';
import type { MetadataPlace } from './update-feature.ts';

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
export function addLink(request: FlagRequest, actor: Actor, place: MetadataPlace, input: LinkInput) {
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
export function updateLink(request: FlagRequest, actor: Actor, place: LinkPlace, input: LinkInput) {
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
export function removeLink(request: FlagRequest, actor: Actor, place: LinkPlace): Promise<Versioned<undefined>> {
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
