import { endpoint } from '../../lib/http/endpoint.ts';
import { projectWith } from '../../lib/people/rights/caller.ts';
import { segmentName } from '../../lib/segments/segment-schema.ts';
import { segments } from '../../lib/segments/segments.ts';
import { object } from '../../lib/values/primitives.ts';

const namesSegments = ['CREATE_SEGMENT', 'UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'] as const;

export const handler = endpoint({
  route: 'POST /api/admin/segments/validate',
  group: 'Segments',
  summary: 'Checks whether a segment can be created with a name.',
  permission: namesSegments,
  permissionBy: 'body',
  rights: 'read',
  body: object({ name: segmentName }),
  responses: { 204: null },
  errors: [409],
})
  // It is enough to have it in some project.
  .needs(({ caller }) => [{ permission: namesSegments, project: projectWith(caller, 'UPDATE_PROJECT_SEGMENT') }])
  .handle(({ request, body }) => segments.requireFreeName(request, body.name));
