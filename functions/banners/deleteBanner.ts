import { bannerPath } from '../../lib/banners/banner-schema.ts';
import { banners } from '../../lib/banners/banners.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'DELETE /api/admin/banners/{id}',
  group: 'Banners',
  summary: 'Deletes a banner.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  params: bannerPath,
  responses: { 204: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => banners.remove(request, caller, params.id));
