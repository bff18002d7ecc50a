import { ofFeatures } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('reviveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/revive',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: ['UPDATE_FEATURE'],
  request: (world) => ofFeatures(world, 1, { archived: true }),
  others: {
    '50 features': (world) => ofFeatures(world, 50, { archived: true }),
  },
  eachOf: 'all',
  required: ['features'],
  differs: '404 for an unknown feature',
});
