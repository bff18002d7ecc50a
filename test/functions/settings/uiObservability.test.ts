import { specify } from '../../specifications/specify.ts';

specify('uiObservability', {
  route: 'POST /api/admin/record-ui-error',
  may: 'any token',
  request: () => ({ body: { errorMessage: 'x is undefined', errorStack: 'at main.js:1' } }),
  required: ['errorMessage'],
});
