import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FlagRequest } from '../entity/effects.ts';
import { invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { changeOwn } from './change-live.ts';
import type { Feature, FeaturePath } from './feature.ts';
import { featureLinkAdded, featureLinkRemoved, featureLinkUpdated } from './feature-events.ts';
import type { FeatureLink, LinkInput } from './feature-schema.ts';

/** One link of a feature. */
export interface LinkPath extends FeaturePath {
  readonly linkId: string;
}

/** The most links of a feature, as on Unleash. */
export const linksMax = 10;

/**
 * Adds a link to a feature.
 * @throws ApiError 404 for an unknown project or feature; 400 for an address other than http or https, or too many
 * links; 412 if `If-Match` does not match.
 */
export function addLink(request: FlagRequest, actor: Actor, path: FeaturePath, input: LinkInput) {
  const link = { id: randomUUID(), url: requireLinkAddress(input.url), title: input.title ?? null };
  return changeOwn(request, actor, path, (feature) => {
    if (feature.links.length >= linksMax) throw invalid(`A feature has at most ${linksMax} links.`);
    return { after: { ...feature, links: [...feature.links, link] }, event: featureLinkAdded(feature, link) };
  });
}

/**
 * Changes a link of a feature; an omitted title stays as it is.
 * @throws ApiError as `addLink` does; 404 for an unknown link.
 */
export function updateLink(request: FlagRequest, actor: Actor, path: LinkPath, input: LinkInput) {
  const url = requireLinkAddress(input.url);
  return changeOwn(request, actor, path, (feature) => {
    const before = requireLink(feature, path.linkId);
    const { title = before.title } = input;
    const link = { ...before, url, title };
    return {
      after: { ...feature, links: feature.links.map((other) => (other === before ? link : other)) },
      event: isDeepStrictEqual(link, before) ? undefined : featureLinkUpdated(feature, before, link),
    };
  });
}

/**
 * Removes a link from a feature.
 * @throws ApiError 404 for an unknown project, feature or link; 412 if `If-Match` does not match.
 */
export function removeLink(request: FlagRequest, actor: Actor, path: LinkPath): Promise<Versioned<undefined>> {
  return changeOwn(request, actor, path, (feature) => {
    const link = requireLink(feature, path.linkId);
    const links = feature.links.filter((other) => other !== link);
    return { after: { ...feature, links }, event: featureLinkRemoved(feature, link) };
  });
}

function requireLink({ links }: Feature, id: string): FeatureLink {
  const link = links.find((candidate) => candidate.id === id);
  if (link === undefined) throw notFound('link', id);
  return link;
}

/** @throws ApiError 400 for an address that `parseLinkAddress` refuses. */
function requireLinkAddress(text: string): string {
  const address = parseLinkAddress(text);
  if (address === undefined) throw invalid('An address of http or https is required.', 'url');
  return address;
}

/** Returns the address as given, or with `https://` in front if it has no scheme. */
export function withScheme(text: string): string {
  return text.includes('://') ? text : `https://${text}`;
}

/**
 * Returns the full address, with `https` if it has no scheme; undefined for an invalid one. Only http and https are valid:
 * a page shows the address as a link, and a `javascript:` address would run with the rights of the user who clicks on it.
 */
export function parseLinkAddress(text: string): string | undefined {
  const full = withScheme(text);
  const url = URL.canParse(full) ? new URL(full) : undefined;
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}
