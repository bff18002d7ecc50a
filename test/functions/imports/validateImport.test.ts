import { describe, expect, test } from 'vitest';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { writesNothing } from '../../harness/imports.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { file, filePlaces } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('validateImport', {
  route: 'POST /api/admin/features-batch/validate',
  may: 'any token',
  request: async (world) => ({ body: await file(world), size: 2 }),
  ...filePlaces,
  differs: '404 for an unknown project or environment',
});

interface Item {
  readonly message: string;
  readonly affectedItems: readonly string[];
}

describe('The validation of an import', () => {
  const body = (data: object, project = 'shop') => ({
    project,
    environment: 'development',
    data: { features: [], featureStrategies: [], tagTypes: [], ...data },
  });
  const path = '/api/admin/features-batch/validate';

  test('names everything that keeps the import from happening, with what has it, and writes nothing', async () => {
    const service = await freshService(shopSeed);
    const data = {
      features: [{ name: 'a' }, { name: 'a' }, { name: 'b/c' }],
      featureStrategies: [
        { name: 'nowhere', featureName: 'a' },
        { name: 'default', featureName: 'other' },
      ],
      segments: [{ id: 5, name: 'unknown' }],
      dependencies: [{ feature: 'a', dependencies: [{ feature: 'missing' }] }],
    };
    const answer = await writesNothing(service, () => service.post(path, body(data)));
    expect(answer.status).toBe(200);
    const { errors, warnings, permissions } = answer.body;
    expect(errors).toContainEqual({ message: 'There is no strategy type "nowhere".', affectedItems: ['a'] });
    expect(errors).toContainEqual({ message: 'There is no segment "unknown".', affectedItems: ['unknown'] });
    expect(errors.flatMap(({ affectedItems }: Item) => affectedItems)).toEqual(
      expect.arrayContaining(['b/c', 'other', 'a']),
    );
    expect([warnings, permissions]).toEqual([[], []]);
    // They are the checks of the import.
    const refused = await service.post('/api/admin/features-batch/import', body(data));
    const messages = refused.body.details.map(({ message }: Item) => message);
    expect(errors.map(({ message }: Item) => message)).toEqual([...new Set(messages)]);
  });

  test('warns of what would be overwritten, and says which permissions are missing', async () => {
    const service = await freshService(shopSeed);
    const world = new World(service);
    const { name } = await world.feature({ project: 'shop' });
    const type = await world.strategyType();
    const data = { features: [{ name }, { name: 'new' }], featureStrategies: [{ name: type, featureName: name }] };
    const token = await newTokenOf(service, { username: 'zoe' });
    const { warnings, permissions } = (await service.post(path, body(data), { token })).body;
    expect(warnings.map(({ affectedItems }: Item) => affectedItems)).toEqual([[name], [type]]);
    expect(permissions[0].affectedItems).toEqual(['UPDATE_FEATURE', 'CREATE_FEATURE', 'CREATE_FEATURE_STRATEGY']);
    const member = await newTokenOf(service, { username: 'bob', inProject: { project: 'shop', role: 'Member' } });
    expect((await service.post(path, body(data), { token: member })).body.permissions).toEqual([]);
    expect(await service.post(path, body(data, 'nowhere'))).toMatchObject({ status: 404 });
  });
});
