import { endpoint } from '../../lib/http/endpoint.ts';
import { keepSplash } from '../../lib/people/ui-state.ts';
import { splash, uiId } from '../../lib/people/ui-state-schema.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/splash/{id}',
  group: 'Admin UI',
  summary: 'Marks a splash screen of the admin UI as seen by the caller.',
  permission: 'NONE',
  params: object({ id: uiId }),
  responses: { 200: splash },
  errors: [],
}).handle(({ request, caller, params }) => keepSplash(request, caller.id, params.id));
