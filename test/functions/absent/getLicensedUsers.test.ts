import { specify } from '../../specifications/specify.ts';

specify('getLicensedUsers', { route: 'GET /api/admin/licensed-users', may: 'any token', request: () => ({}) });
