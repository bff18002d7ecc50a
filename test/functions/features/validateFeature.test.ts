import { describe, expect, test } from 'vitest';
import { addFeatures, paths, problemPaths, shopSeed } from '../../harness/features.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('validateFeature', {
  route: 'POST /api/admin/features/validate',
  may: 'any token',
  request: (world) => ({ body: { name: world.name('feature'), projectId: 'default' } }),
  required: ['name'],
  nullable: ['projectId'],
});

describe('Whether a feature can have a name', () => {
  const service = sharedService(shopSeed);
  const validate = (name: unknown) => service.post('/api/admin/features/validate', { name });

  test('is an empty 200 for one that is free, as often as it is asked', async () => {
    for (const name of ['free', 'free', `~${'x'.repeat(99)}`]) {
      expect(await validate(name)).toMatchObject({ status: 200, text: '' });
    }
  });

  test('is a 409 for one that a feature of any project has, archived or not, until it is deleted', async () => {
    await addFeatures(service, ['taken'], { project: 'shop' });
    expect(await validate('taken')).toMatchObject({ status: 409, body: { name: 'NameExistsError' } });
    await service.call('DELETE', paths.feature('taken', 'shop'));
    expect(await validate('taken')).toMatchObject({ status: 409, body: { name: 'NameExistsError' } });
    await service.call('DELETE', paths.deleted('taken'));
    expect((await validate('taken')).status).toBe(200);
  });

  test('is a 400 for one that does not match the naming pattern of the project', async () => {
    await service.put('/api/admin/projects/shop/settings', { mode: 'open', featureNaming: { pattern: 'shop-.+' } });
    const statuses = ['cart', 'shop-cart'].map(async (name) => {
      const inProject = async (projectId: string | null) =>
        (await service.post('/api/admin/features/validate', { name, projectId })).status;
      return Promise.all(['shop', 'default', 'nowhere', null].map(inProject));
    });
    expect(await Promise.all(statuses)).toEqual([
      [400, 200, 200, 200],
      [200, 200, 200, 200],
    ]);
  });

  test.each(['', '.', 'two words', 'a/b', 'n'.repeat(101)])('is a 400 for %j', async (name) => {
    expect(problemPaths(await validate(name))).toEqual(['name']);
  });
});
