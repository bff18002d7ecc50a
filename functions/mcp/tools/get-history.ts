import * as v from 'valibot';
import { eventSearchResult } from '../../../lib/events/event-search-schema.ts';
import { defineTool } from '../../../lib/http/mcp/tool.ts';
import { boolean, count, name, object, text, timestamp } from '../../../lib/values/primitives.ts';
import { searchEvents } from '../../events/events.ts';
import { filterBy, pageInput } from './query.ts';

const { id, createdBy, project, environment, featureName, summary, data, preData } = eventSearchResult.entries;

const day = v.pipe(v.string(), v.isoDate('A day such as 2026-01-31 is required.'));

export const getHistory = defineTool({
  name: 'get_history',
  title: 'Get the history of changes',
  description:
    'Lists changes with their authors and times, the newest first, page by page: of a flag, of an environment, of a project, or of all that you may see. All filters must match.',
  input: object({
    project: v.exactOptional(name),
    flag: v.exactOptional(name),
    environment: v.exactOptional(name),
    type: v.exactOptional(v.pipe(text, v.description('A type of event, such as feature-environment-enabled.'))),
    text: v.exactOptional(v.pipe(text, v.description('Found in the name of the flag or in what changed.'))),
    from: v.exactOptional(v.pipe(day, v.description('The first day, in UTC.'))),
    to: v.exactOptional(v.pipe(day, v.description('The last day, in UTC.'))),
    details: v.optional(v.pipe(boolean, v.description('Adds what changed, before and after.')), false),
    ...pageInput,
  }),
  output: object({
    events: v.array(
      object({
        id,
        createdAt: timestamp,
        type: text,
        createdBy,
        project,
        environment,
        flag: featureName,
        summary,
        before: v.exactOptional(preData),
        after: v.exactOptional(data),
      }),
    ),
    total: v.pipe(count, v.description('The matches among the newest 20,000 changes.')),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  narrowing: 'Use more filters, a smaller "limit" and an "offset", or leave out "details".',
  calls: [searchEvents],
  async run({ limit, offset, details, flag, text: query, ...filters }, { call }) {
    const { events, total } = await call(searchEvents, {
      query: {
        query,
        project: filterBy('IS', filters.project),
        feature: filterBy('IS', flag),
        environment: filterBy('IS', filters.environment),
        type: filterBy('IS', filters.type),
        from: filterBy('IS', filters.from),
        to: filterBy('IS', filters.to),
        limit: String(limit),
        offset: String(offset),
      },
    });
    const shown = events.map((event) => ({
      ...event,
      flag: event.featureName,
      ...(details && { before: event.preData, after: event.data }),
    }));
    return { events: shown, total };
  },
});
