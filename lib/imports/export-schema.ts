import * as v from 'valibot';
import { contextFieldInFile } from '../context-fields/context-field-schema.ts';
import { featureVariants } from '../features/environments/variant-schema.ts';
import { dependency } from '../features/feature-schema.ts';
import { strategy } from '../features/strategies/strategy-schema.ts';
import { tagType } from '../tags/tag-schema.ts';
import { boolean, id, name, nonEmptyText, object, text } from '../values/primitives.ts';

/**
 * The selection of an export (`exportQuerySchema`): features by name, or without names all features of a project or with a
 * tag.
 */
export const exportQuery = object({
  environment: text,
  features: v.exactOptional(v.array(text)),
  tag: v.exactOptional(text),
  project: v.exactOptional(text),
  downloadFile: v.optional(boolean, false),
});
export type ExportQuery = v.InferOutput<typeof exportQuery>;

/** Features with everything that an import of them needs (`exportResultSchema`). */
export const exportedFeatures = object({
  features: v.array(
    object({
      name,
      description: v.nullable(text),
      type: nonEmptyText,
      project: name,
      stale: boolean,
      impressionData: boolean,
      archived: boolean,
    }),
  ),
  featureStrategies: v.array(strategy),
  // `name` is the name of the feature, as in Unleash.
  featureEnvironments: v.array(
    object({ name, featureName: name, environment: name, enabled: boolean, variants: featureVariants }),
  ),
  featureTags: v.array(object({ featureName: name, tagType: text, tagValue: text })),
  contextFields: v.array(contextFieldInFile),
  segments: v.array(object({ id, name: text })),
  tagTypes: v.array(tagType),
  dependencies: v.array(object({ feature: name, dependencies: v.array(dependency) })),
  links: v.array(object({ feature: name, links: v.array(object({ url: text, title: v.nullable(text) })) })),
});
export type ExportedFeatures = v.InferOutput<typeof exportedFeatures>;
