import { specify } from '../../specifications/specify.ts';

specify('getBanners', { route: 'GET /api/admin/banners', may: 'any token', request: () => ({}) });
