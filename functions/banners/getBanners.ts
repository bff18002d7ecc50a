import * as v from 'valibot';
import { banner } from '../../lib/banners/banner-schema.ts';
import { banners, bannerView } from '../../lib/banners/banners.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { object } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/banners',
  group: 'Banners',
  summary: 'Lists the banners of the admin UI.',
  description: '`enabled` says whether a banner is shown now, which it is at its time alone; `state` says more.',
  responses: { 200: object({ banners: v.array(banner) }) },
}).handle(async ({ request }) => ({ banners: (await banners.list(request)).map((each) => bannerView(each)) }));
