import { specify } from '../../specifications/specify.ts';

specify('reviveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/revive',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
  request: async (world) => ({
    params: world.home,
    body: { features: [(await world.feature({ archived: true })).name] },
  }),
  others: {
    '50 features': async (world) => {
      const features = await world.features(50, { archived: true });
      return { params: world.home, body: { features: features.map(({ name }) => name) }, size: 50 };
    },
  },
  eachOf: 'all',
  required: ['features'],
  differs: '404 for an unknown feature',
});
