import * as v from 'valibot';
import { checkFreeName } from '../../lib/features/create-feature.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { name, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/features/validate',
  group: 'Features',
  summary: 'Checks whether a feature can be created with a name, by the naming pattern of the project, too.',
  rights: 'read',
  body: object({ name, projectId: v.exactOptional(v.nullable(text)) }),
  responses: { 200: null },
  errors: [409],
}).handle(({ request, body }) => checkFreeName(request, body.name, body.projectId));
