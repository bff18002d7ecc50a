import { specify } from '../../specifications/specify.ts';

specify('getStartPage', { route: 'GET /', may: 'anyone', request: () => ({}) });
