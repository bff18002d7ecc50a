import { specify } from '../../specifications/specify.ts';

specify('getOpenApiDocument', { route: 'GET /docs/openapi.json', may: 'anyone', request: () => ({}) });
