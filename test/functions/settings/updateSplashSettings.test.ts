import { specify } from '../../specifications/specify.ts';

specify('updateSplashSettings', {
  route: 'POST /api/admin/splash/{id}',
  may: 'any token',
  request: (world) => ({ params: { id: world.name('screen') } }),
  takesAnyName: ['id'],
  again: 'once more',
});
