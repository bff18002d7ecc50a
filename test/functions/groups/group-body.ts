import type { World } from '../../harness/world.ts';

/** A request for a group, with every field that it can have. */
export async function groupBody(world: World) {
  return {
    name: world.name('group'),
    description: 'Who looks after payments',
    mappingsSSO: ['payments'],
    rootRole: await world.role({ type: 'root-custom' }),
    users: [{ user: { id: (await world.user()).id } }],
  };
}
