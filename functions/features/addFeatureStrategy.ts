import { addStrategy } from '../../lib/features/add-strategy.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { entityTag } from '../../lib/http/entity-tag.ts';
import { strategy, strategyInput } from '../../lib/schemas/strategy.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  tag: 'Features',
  summary: 'Adds a strategy to a feature in an environment.',
  permission: 'CREATE_FEATURE_STRATEGY',
  body: strategyInput,
  responses: { 200: strategy },
  entityTag: true,
  errors: [404],
}).handle(
  ({ table, caller, params, body, expectedVersions }) => addStrategy(table, caller, params, body, expectedVersions),
  ({ value, version }) => ({ status: 200, headers: { etag: entityTag(version) }, body: value }),
);
