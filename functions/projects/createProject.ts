import { endpoint } from '../../lib/http/endpoint.ts';
import { createdProject, projectInput } from '../../lib/projects/project-schema.ts';
import { createdView, createProject } from '../../lib/provisioning/create-project.ts';

export const handler = endpoint({
  route: 'POST /api/admin/projects',
  group: 'Projects',
  summary: 'Creates a project with the given environments, or with all enabled ones.',
  permission: 'CREATE_PROJECT',
  body: projectInput,
  responses: { 201: createdProject },
  etag: true,
  errors: [404, 409],
}).handle(
  ({ request, caller, body }) => createProject(request, caller, body),
  (project) => ({
    body: createdView(project),
    headers: { location: `/api/admin/projects/${encodeURIComponent(project.id)}` },
  }),
);
