import { banner, bannerInput, bannerPath } from '../../lib/banners/banner-schema.ts';
import { bannerView, updateBanner } from '../../lib/banners/banners.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'PUT /api/admin/banners/{id}',
  group: 'Banners',
  summary: 'Updates a banner.',
  description:
    'Without `from` and `to` its times stay as they are, and `enabled` changes only where it is not what replies say.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  params: bannerPath,
  body: bannerInput,
  responses: { 200: banner },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => updateBanner(request, caller, params.id, body),
  (updated) => ({ body: bannerView(updated) }),
);
