import { importPath } from '../../harness/import-file.ts';
import { file, filePlaces } from '../../specifications/bodies.ts';
import { filedFeature, importFile, manyFeatures } from '../../specifications/files.ts';
import { specify } from '../../specifications/specify.ts';

specify('importToggles', {
  route: 'POST /api/admin/features-batch/import',
  unversioned: 'it is about many things',
  may: ['Admin', 'Editor', 'Owner', 'Member'],
  needs: [
    'UPDATE_FEATURE',
    'CREATE_FEATURE',
    'CREATE_FEATURE_STRATEGY',
    'DELETE_FEATURE_STRATEGY',
    'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    'UPDATE_FEATURE_DEPENDENCY',
    'CREATE_CONTEXT_FIELD',
    'CREATE_TAG_TYPE',
  ],
  request: async (world) => ({ body: await file(world), project: world.home.projectId, size: 2 }),
  others: {
    'new features with a new tag type': (world) => {
      const body = importFile(world, [
        filedFeature('parent', { tags: ['first'] }),
        filedFeature('child', { tags: ['second'], parents: ['parent'] }),
      ]);
      return { body, size: 2 };
    },
    'features that are there, in part as they shall be': async (world) => {
      const before = [filedFeature('child', { tags: ['old'], strategy: 'default' }), filedFeature('parent')];
      await world.ask('POST', importPath, importFile(world, before));
      const fields = { stale: true, archived: true };
      return { body: importFile(world, [filedFeature('child', { tags: ['new'], parents: ['parent'], fields })]) };
    },
    '70 features': async (world) => {
      await world.ask(
        'POST',
        importPath,
        importFile(world, [filedFeature('imported-3', { tags: ['old'], strategy: 'default' })]),
      );
      // What features share comes first, then the parents of others, then all others.
      return { body: importFile(world, manyFeatures(70)), size: 70, stages: 3 };
    },
  },
  ...filePlaces,
  // A feature that is there is read in part first, to see whether the file may be imported at all.
  waits: 3,
});
