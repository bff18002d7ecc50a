import * as v from 'valibot';
import { foundFeature } from '../../../lib/features/feature-list-schema.ts';
import { featureType, listedFeature } from '../../../lib/features/feature-schema.ts';
import { defineTool } from '../../../lib/http/mcp/tool.ts';
import { boolean, count, name, object, text } from '../../../lib/values/primitives.ts';
import { searchFeatures } from '../../search/search.ts';
import { filterBy, pageInput } from './query.ts';

const { type, description, stale, archived, createdAt, lastSeenAt } = listedFeature.entries;
const { enabled } = foundFeature.entries.environments.item.entries;

export const findFlags = defineTool({
  name: 'find_flags',
  title: 'Find feature flags',
  description:
    'Finds feature flags by text and filters, by name, page by page, with their state in each environment. All filters must match; without any, it lists all flags that you may see. Use get_flag for the details of one.',
  input: object({
    text: v.exactOptional(v.pipe(text, v.description('Found in the name, the description or a tag.'))),
    project: v.exactOptional(name),
    enabledIn: v.exactOptional(v.pipe(name, v.description('An environment in which the flags are on.'))),
    disabledIn: v.exactOptional(v.pipe(name, v.description('An environment in which the flags are off.'))),
    type: v.exactOptional(featureType),
    tag: v.exactOptional(v.pipe(text, v.description('A tag type and a tag, such as simple:checkout.'))),
    segment: v.exactOptional(v.pipe(text, v.description('The name of a segment that a strategy uses.'))),
    stale: v.exactOptional(boolean),
    archived: v.exactOptional(v.pipe(boolean, v.description('True for archived flags instead of live ones.'))),
    ...pageInput,
  }),
  output: object({
    flags: v.array(
      object({
        name,
        project: name,
        type,
        description,
        stale,
        archived,
        createdAt,
        lastSeenAt,
        tags: v.array(text),
        environments: v.array(object({ name, enabled })),
      }),
    ),
    total: count,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  narrowing: 'Use more filters, or a smaller "limit" and an "offset".',
  calls: [searchFeatures],
  async run({ limit, offset, ...filters }, { call }) {
    const { text: query, project, enabledIn, disabledIn, type, tag, segment, stale, archived } = filters;
    const status = [
      ...(enabledIn === undefined ? [] : [`${enabledIn}:enabled`]),
      ...(disabledIn === undefined ? [] : [`${disabledIn}:disabled`]),
    ];
    const { features, total } = await call(searchFeatures, {
      query: {
        query,
        project: filterBy('IS', project),
        type: filterBy('IS', type),
        tag: filterBy('INCLUDE', tag),
        segment: filterBy('INCLUDE', segment),
        state: stale === undefined ? undefined : filterBy(stale ? 'IS' : 'IS_NOT', 'stale'),
        archived: archived ? 'IS:true' : undefined,
        status: status.length > 0 ? status : undefined,
        sortBy: 'name',
        limit: String(limit),
        offset: String(offset),
      },
    });
    const flags = features.map(({ tags, ...feature }) => ({
      ...feature,
      tags: tags.map(({ type: tagType, value }) => `${tagType}:${value}`),
    }));
    return { flags, total };
  },
});
