import * as v from 'valibot';
import { strategyInput } from '../../lib/features/strategies/strategy-schema.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { addEnvironment } from '../../lib/provisioning/add-environment.ts';
import { boolean, object, text } from '../../lib/values/primitives.ts';

const projectEnvironment = object({
  environment: text,
  changeRequestsEnabled: v.exactOptional(boolean),
  defaultStrategy: v.exactOptional(strategyInput),
});

export const handler = endpoint({
  route: 'POST /api/admin/projects/{projectId}/environments',
  group: 'Projects',
  summary: 'Adds an environment to a project.',
  permission: 'UPDATE_PROJECT',
  body: projectEnvironment,
  responses: { 200: null },
  etag: true,
  errors: [409],
}).handle(({ request, caller, params, body }) => addEnvironment(request, caller, params.projectId, body));
