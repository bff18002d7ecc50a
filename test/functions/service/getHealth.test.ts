import { specify } from '../../specifications/specify.ts';

specify('getHealth', { route: 'GET /health', may: 'anyone', request: () => ({}) });
