import { specify } from '../../specifications/specify.ts';

specify('getScimSettings', { route: 'GET /api/admin/scim-settings', may: 'any token', request: () => ({}) });
