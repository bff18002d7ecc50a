import { describe } from 'vitest';
import { survivesFaults } from '../../harness/faults.ts';
import { imported, sendImport } from '../../harness/imports.ts';

describe('An import', () => {
  survivesFaults(
    async (service, feature) => {
      await imported(service, { features: [{ name: feature }] });
      return {
        feature,
        call: () =>
          sendImport(
            service,
            {
              features: [{ name: feature, stale: true }, { name: `${feature}-child` }],
              featureStrategies: [{ name: 'default', featureName: feature }],
              featureEnvironments: [{ name: feature, enabled: true }],
              featureTags: [{ featureName: feature, tagType: `type-${feature}`, tagValue: 'tagged' }],
              tagTypes: [{ name: `type-${feature}` }],
              dependencies: [{ feature: `${feature}-child`, dependencies: [{ feature }] }],
            },
            { environment: 'production' },
          ),
        events: [
          'feature-metadata-updated',
          'feature-stale-on',
          'feature-tagged',
          'feature-strategy-add',
          'feature-environment-enabled',
        ],
      };
    },
    { isOfStore: false },
  );
});
