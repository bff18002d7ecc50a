import { specify } from '../../specifications/specify.ts';

specify('getHealth', { route: 'GET /health', may: 'anyone', request: () => ({}) });

specify('getOpenApiDocument', { route: 'GET /docs/openapi.json', may: 'anyone', request: () => ({}) });

specify('getReady', { route: 'GET /ready', may: 'anyone', request: () => ({}) });
