import { file, filePlaces } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('importToggles', {
  route: 'POST /api/admin/features-batch/import',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: [
    'UPDATE_FEATURE',
    'CREATE_FEATURE',
    'CREATE_FEATURE_STRATEGY',
    'DELETE_FEATURE_STRATEGY',
    'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    'CREATE_CONTEXT_FIELD',
    'CREATE_TAG_TYPE',
  ],
  request: async (world) => ({ body: await file(world), project: world.home.projectId, size: 2 }),
  ...filePlaces,
  // It takes event ids for the features before it knows how many more the other parts of the file need.
  waits: 3,
});
