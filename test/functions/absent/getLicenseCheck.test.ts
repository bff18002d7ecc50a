import { specify } from '../../specifications/specify.ts';

specify('getLicenseCheck', { route: 'GET /api/admin/license/check', may: 'any token', request: () => ({}) });
