import type { World } from '../../harness/world.ts';

/** A request for a role, with every field that it can have. */
export function roleBody(world: World, type: 'custom' | 'root-custom' = 'custom') {
  return {
    name: world.name('role'),
    description: 'Switches features in development',
    type,
    permissions: [{ id: 28, name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }],
  };
}
