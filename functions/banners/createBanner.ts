import { banner, bannerInput } from '../../lib/banners/banner-schema.ts';
import { banners, bannerView, newBanner } from '../../lib/banners/banners.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /api/admin/banners',
  group: 'Banners',
  summary: 'Creates a banner, a message to all users of the admin UI.',
  description:
    '`link` is an address, a path, or the word `dialog`, which opens `dialog` in a window. With `from` and `to` it is shown at ' +
    'that time only, such as before maintenance.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  body: bannerInput,
  responses: { 201: banner },
  etag: true,
}).handle(
  ({ request, caller, body }) => banners.create(request, caller, (at, id) => newBanner(body, id, at)),
  (created) => ({ body: bannerView(created) }),
);
