import { specify } from '../../specifications/specify.ts';

specify('getReady', { route: 'GET /ready', may: 'anyone', request: () => ({}) });
