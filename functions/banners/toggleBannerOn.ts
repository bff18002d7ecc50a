import { banner, bannerPath } from '../../lib/banners/banner-schema.ts';
import { bannerView, switchBanner } from '../../lib/banners/banners.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/banners/{id}/on',
  group: 'Banners',
  summary: 'Shows a banner from now on.',
  description: 'A time at which it was to begin, and one at which it has ended, are taken away.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  params: bannerPath,
  responses: { 200: banner },
  etag: true,
}).handle(
  ({ request, caller, params }) => switchBanner(request, caller, params.id, true),
  (switched) => ({ body: bannerView(switched) }),
);
