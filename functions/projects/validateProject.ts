import { endpoint } from '../../lib/http/endpoint.ts';
import { projectId } from '../../lib/projects/project-schema.ts';
import { assertNewProjectId } from '../../lib/projects/projects.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects/validate',
  group: 'Projects',
  summary: 'Checks whether a project can be created with an id.',
  permission: 'CREATE_PROJECT',
  rights: 'read',
  body: object({ id: projectId }),
  responses: { 200: null },
}).handle(({ request, body }) => assertNewProjectId(request, body.id));
