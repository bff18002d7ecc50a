import { addons } from '../../lib/addons/addons.ts';
import { invalid } from '../../lib/errors.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  method: 'DELETE',
  path: '/api/admin/addons/{id}',
  group: 'Addons',
  summary: 'Deletes an addon.',
  permission: 'DELETE_ADDON',
  responses: { 200: null },
  errors: [400, 404],
}).handle(async ({ table, caller, params }) => addons.remove(table, caller, toId(params.id)));

/** @throws ApiError 400 where the text is no positive whole number that a double holds exactly. */
function toId(text: string): number {
  const id = Number(text);
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(id) || id < 1)
    throw invalid('The id must be a positive whole number.', 'id');
  return id;
}
