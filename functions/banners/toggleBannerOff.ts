import { banner, bannerPath } from '../../lib/banners/banner-schema.ts';
import { bannerView, switchBanner } from '../../lib/banners/banners.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/banners/{id}/off',
  group: 'Banners',
  summary: 'Hides a banner.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  params: bannerPath,
  responses: { 200: banner },
  etag: true,
}).handle(
  ({ request, caller, params }) => switchBanner(request, caller, params.id, false),
  (switched) => ({ body: bannerView(switched) }),
);
