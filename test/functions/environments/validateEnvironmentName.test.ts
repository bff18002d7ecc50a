import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('validateEnvironmentName', {
  route: 'POST /api/admin/environments/validate',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: (world) => ({ body: { name: world.name('environment') } }),
  required: ['name'],
});

test('A name is free, in use, or no name', async ({ service }) => {
  const validate = async (name: string) => (await service.post('/api/admin/environments/validate', { name })).status;
  expect(await validate('staging')).toBe(200);
  expect(await validate('production')).toBe(409);
  expect(await validate('*')).toBe(400);
  expect(await validate('two words')).toBe(400);
});
