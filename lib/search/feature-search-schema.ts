import * as v from 'valibot';
import { anyText, booleanText, dateText, filter, searchTexts, wholeNumberText } from '../values/filter-schema.ts';
import { object, text } from '../values/primitives.ts';

const equality = ['IS', 'IS_NOT', 'IS_ANY_OF', 'IS_NONE_OF'] as const;
const inclusion = [
  'INCLUDE',
  'DO_NOT_INCLUDE',
  'INCLUDE_ALL_OF',
  'INCLUDE_ANY_OF',
  'EXCLUDE_IF_ANY_OF',
  'EXCLUDE_ALL',
] as const;

/** The most features on a page. */
const pageSizeMax = 1_000;
/** The default number of features on a page, as in Unleash. */
const pageSize = 50;

const sortable = [
  'name',
  'type',
  'project',
  'description',
  'createdAt',
  'createdBy',
  'lastSeenAt',
  'archivedAt',
  'stale',
  'favorite',
  'impressionData',
  'lifecycle',
] as const;

/** A field, or an environment, which sorts by whether the features are on in it. */
const sortBy = v.pipe(
  text,
  v.check(
    (by) => by === '' || (sortable as readonly string[]).includes(by) || /^environment:./.test(by),
    `One of ${sortable.join(', ')}, or environment:<name> is required.`,
  ),
  v.transform((by) => (by === '' ? 'createdAt' : by) as (typeof sortable)[number] | `environment:${string}`),
);

/** The query of a search for features. An omitted filter excludes nothing. */
export const featureSearch = object({
  /** Texts, separated by commas, of which the name, the description or a tag must contain one. */
  query: v.exactOptional(searchTexts),
  project: v.exactOptional(filter(equality, anyText, 'IS:default')),
  state: v.exactOptional(
    filter(equality, v.picklist(['active', 'stale', 'potentially-stale', 'archived']), 'IS:stale'),
  ),
  lifecycle: v.exactOptional(filter(equality, anyText, 'IS:live')),
  type: v.exactOptional(filter(equality, anyText, 'IS_ANY_OF:release,experiment')),
  /** Ids of users. */
  createdBy: v.exactOptional(filter(equality, anyText, 'IS:1')),
  tag: v.exactOptional(filter(inclusion, v.pipe(v.string(), v.regex(/^[^:]+:./)), 'INCLUDE:simple:checkout')),
  /** Names of segments. */
  segment: v.exactOptional(filter(inclusion, anyText, 'INCLUDE:customers')),
  /** `<environment>:enabled` or `<environment>:disabled`, of which one must match. Other values are ignored. */
  status: v.exactOptional(
    v.pipe(
      v.array(text),
      v.maxLength(100, 'At most 100 statuses are allowed.'),
      v.transform((sent) => sent.filter((status) => /^[^:]+:(enabled|disabled)$/.test(status))),
    ),
  ),
  archived: v.exactOptional(filter(['IS'], booleanText, 'IS:true')),
  favorite: v.exactOptional(filter(['IS', 'IS_ANY_OF'], booleanText, 'IS:true')),
  createdAt: v.exactOptional(filter(['IS_BEFORE', 'IS_ON_OR_AFTER'], dateText, 'IS_BEFORE:2026-01-31')),
  lastSeenAt: v.exactOptional(filter(['IS_BEFORE', 'IS_ON_OR_AFTER'], dateText, 'IS_BEFORE:2026-01-31')),
  offset: v.optional(wholeNumberText, '0'),
  limit: v.optional(
    v.pipe(wholeNumberText, v.minValue(1), v.maxValue(pageSizeMax, `A page has at most ${pageSizeMax} features.`)),
    String(pageSize),
  ),
  sortBy: v.optional(sortBy, 'createdAt'),
  sortOrder: v.optional(v.picklist(['asc', 'desc']), 'asc'),
  favoritesFirst: v.optional(
    v.pipe(
      v.picklist(['true', 'false']),
      v.transform((given) => given === 'true'),
    ),
    'false',
  ),
});
export type FeatureSearch = v.InferOutput<typeof featureSearch>;
export type EqualityFilter = NonNullable<FeatureSearch['project']>;
export type InclusionFilter = NonNullable<FeatureSearch['tag']>;
export type TimeFilter = NonNullable<FeatureSearch['createdAt']>;
