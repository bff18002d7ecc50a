import * as v from 'valibot';
import { banner, bannerInput, bannerPath } from '../../lib/banners/banner-schema.ts';
import * as lib from '../../lib/banners/banners.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Banners');

export const createBanner = endpoint({
  route: 'POST /api/admin/banners',
  summary: 'Creates a banner, a message to all users of the admin UI.',
  description:
    '`link` is an address, a path, or the word `dialog`, which opens the text in `dialog` in a window. With `from` and `to`, the banner is shown during that time only, for example before maintenance.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  body: bannerInput,
  responses: { 201: banner },
  etag: true,
}).handle(
  ({ request, caller, body }) => lib.banners.create(request, caller, (at, id) => lib.newBanner(body, id, at)),
  (created) => ({ body: lib.bannerView(created) }),
);

export const deleteBanner = endpoint({
  route: 'DELETE /api/admin/banners/{id}',
  summary: 'Deletes a banner.',
  description: 'To show it again later, hide it with `POST …/off` instead.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  params: bannerPath,
  responses: { 204: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => lib.banners.remove(request, caller, params.id));

export const getBanners = endpoint({
  route: 'GET /api/admin/banners',
  summary: 'Lists the banners of the admin UI.',
  description: '`enabled` says whether a banner is shown now, which depends on its time. `state` has more detail.',
  responses: { 200: object({ banners: v.array(banner) }) },
}).handle(async ({ request }) => ({
  banners: (await lib.banners.list(request)).map((banner) => lib.bannerView(banner)),
}));

export const toggleBannerOff = endpoint({
  route: 'POST /api/admin/banners/{id}/off',
  summary: 'Hides a banner.',
  description: 'It is kept. `POST …/on` shows it again.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  params: bannerPath,
  responses: { 200: banner },
  etag: true,
}).handle(
  ({ request, caller, params }) => lib.switchBanner(request, caller, params.id, false),
  (switched) => ({ body: lib.bannerView(switched) }),
);

export const toggleBannerOn = endpoint({
  route: 'POST /api/admin/banners/{id}/on',
  summary: 'Shows a banner from now on.',
  description: 'A later start and an earlier end of the banner are removed.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  params: bannerPath,
  responses: { 200: banner },
  etag: true,
}).handle(
  ({ request, caller, params }) => lib.switchBanner(request, caller, params.id, true),
  (switched) => ({ body: lib.bannerView(switched) }),
);

export const updateBanner = endpoint({
  route: 'PUT /api/admin/banners/{id}',
  summary: 'Updates a banner.',
  description:
    'Without `from` and `to`, its times do not change. `enabled` has an effect only if it differs from the value in replies.',
  permission: 'UPDATE_INSTANCE_BANNERS',
  params: bannerPath,
  body: bannerInput,
  responses: { 200: banner },
  etag: true,
}).handle(
  ({ request, caller, params, body }) => lib.updateBanner(request, caller, params.id, body),
  (updated) => ({ body: lib.bannerView(updated) }),
);
