import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/schemas/primitives.ts';
import { splash, uiId } from '../../lib/schemas/ui-state.ts';
import { keepSplash } from '../../lib/users/ui-state.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/splash/{id}',
  group: 'Admin UI',
  summary: 'Notes that the caller has seen a screen of the admin UI.',
  permission: 'NONE',
  params: object({ id: uiId }),
  responses: { 200: splash },
}).handle(({ request, caller, params }) => keepSplash(request, caller.id, params.id));
