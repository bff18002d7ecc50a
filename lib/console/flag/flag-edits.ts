import type { FeatureView } from '../../features/feature-schema.ts';
import {
  createFeatureLink,
  deleteFeatureLink,
  type FlagTag,
  updateFeature,
  updateFeatureLink,
  updateTags,
} from '../calls/flags.ts';
import type { ApiAnswer } from '../data/client.ts';
import type { Versioned } from '../data/save-edits.ts';

/** A link of a flag as a form holds it. */
export interface EditedLink {
  /** Missing for a new one. */
  readonly id?: string;
  readonly url: string;
  readonly title: string;
}

/** The properties of a flag that are edited together. */
export interface FlagEdits {
  readonly description: string;
  readonly type: string;
  readonly impressionData: boolean;
  readonly tags: readonly FlagTag[];
  readonly links: readonly EditedLink[];
}

/** Returns the properties of a flag as a form holds them. */
export function toFlagEdits({ description, type, impressionData, tags, links }: FeatureView): FlagEdits {
  return {
    description: description ?? '',
    type,
    impressionData,
    tags: tags.map((tag) => ({ type: tag.type, value: tag.value })),
    links: links.map(({ id, url, title }) => ({ id, url, title: title ?? '' })),
  };
}

type Step = (ifMatch: string | undefined) => Promise<ApiAnswer<unknown>>;

/**
 * Sends the differences between two states of a flag, one change after the other; each names the version that the one before
 * has made.
 * @throws Refusal at the first change that is refused; those before it are saved.
 */
export async function sendFlagEdits(
  { project, name }: Pick<FeatureView, 'project' | 'name'>,
  before: Versioned<FlagEdits>,
  after: FlagEdits,
): Promise<void> {
  const values = { projectId: project, featureName: name };
  let version = before.etag;
  for (const step of listSteps(values, before.value, after)) ({ etag: version } = await step(version));
}

function listSteps(
  values: { readonly projectId: string; readonly featureName: string },
  before: FlagEdits,
  after: FlagEdits,
): Step[] {
  const { description, type, impressionData } = after;
  const isChanged =
    description !== before.description || type !== before.type || impressionData !== before.impressionData;
  const body = { description: description || null, type, impressionData };
  const has = (tags: readonly FlagTag[], tag: FlagTag) =>
    tags.some((each) => each.type === tag.type && each.value === tag.value);
  const addedTags = after.tags.filter((tag) => !has(before.tags, tag));
  const removedTags = before.tags.filter((tag) => !has(after.tags, tag));
  return [
    ...(isChanged ? [(ifMatch: string | undefined) => updateFeature(values, { body, ifMatch })] : []),
    ...(addedTags.length + removedTags.length > 0
      ? [(ifMatch: string | undefined) => updateTags(values, { body: { addedTags, removedTags }, ifMatch })]
      : []),
    ...listLinkSteps(values, before.links, after.links),
  ];
}

function listLinkSteps(
  values: { readonly projectId: string; readonly featureName: string },
  before: readonly EditedLink[],
  after: readonly EditedLink[],
): Step[] {
  const toBody = ({ url, title }: EditedLink) => ({ url: url.trim(), title: title.trim() || null });
  const removed = before.filter(({ id }) => !after.some((link) => link.id === id));
  return [
    ...removed.map(
      ({ id = '' }): Step =>
        (ifMatch) =>
          deleteFeatureLink({ ...values, linkId: id }, { ifMatch }),
    ),
    ...after.flatMap((link): Step[] => {
      const { id } = link;
      const old = before.find((each) => each.id !== undefined && each.id === id);
      if (id === undefined || old === undefined)
        return [(ifMatch) => createFeatureLink(values, { body: toBody(link), ifMatch })];
      if (old.url === link.url && old.title === link.title) return [];
      return [(ifMatch) => updateFeatureLink({ ...values, linkId: id }, { body: toBody(link), ifMatch })];
    }),
  ];
}

/** Lists the problems of edits, in the order of the form. */
export function listFlagEditProblems({ links }: FlagEdits): string[] {
  return links
    .filter(({ url }) => !/^https?:\/\/./i.test(url.trim()))
    .map(
      ({ url }) =>
        `The address ${url === '' ? 'of a link is missing' : `“${url}” does not begin with https:// or http://`}.`,
    );
}
