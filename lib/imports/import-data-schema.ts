import * as v from 'valibot';
import { contextFieldInFile } from '../context-fields/context-field-schema.ts';
import { featureVariants, importedVariants } from '../features/environments/variant-schema.ts';
import { dependency, featureDescription, featureType } from '../features/feature-schema.ts';
import { exportedStrategy, strategy } from '../features/strategies/strategy-schema.ts';
import { tagType, tagTypeInput, tagValueInput } from '../tags/tag-schema.ts';
import { boolean, id, name, nonEmptyText, object, text } from '../values/primitives.ts';

/**
 * Feature in a file to import. Names are plain text here: they are validated together with what they refer to, so that
 * one reply lists every problem of a file.
 */
const importedFeature = object({
  name: text,
  type: v.exactOptional(featureType),
  description: v.exactOptional(featureDescription),
  stale: v.exactOptional(boolean),
  impressionData: v.exactOptional(boolean),
  archived: v.exactOptional(boolean),
});
export type ImportedFeature = v.InferOutput<typeof importedFeature>;

const importedEnvironment = object({
  name: text,
  featureName: v.exactOptional(text),
  enabled: boolean,
  variants: v.exactOptional(importedVariants),
});

/** A tag of a feature: by the newer `tagType` and `tagValue`, else by the deprecated `type` and `value`. */
const importedTag = v.pipe(
  object({
    featureName: text,
    tagType: v.exactOptional(text),
    tagValue: v.exactOptional(tagValueInput),
    type: v.exactOptional(text),
    value: v.exactOptional(tagValueInput),
  }),
  v.check(({ tagValue, value }) => (tagValue ?? value) !== undefined, 'A tag needs a tagValue.'),
);
export type ImportedTag = v.InferOutput<typeof importedTag>;

const importedDependencies = object({
  feature: text,
  dependencies: v.array(
    object({ feature: text, enabled: v.optional(boolean, true), variants: v.optional(v.array(text), () => []) }),
  ),
});

const importedLinks = object({
  feature: text,
  links: v.array(object({ url: nonEmptyText, title: v.optional(v.nullable(text), null) })),
});

/** Import data (`importTogglesSchema`): what an export holds, and where it shall go. */
export const importData = object({
  project: text,
  environment: text,
  data: object({
    features: v.array(importedFeature),
    featureStrategies: v.array(exportedStrategy),
    featureEnvironments: v.optional(v.array(importedEnvironment), () => []),
    contextFields: v.optional(v.array(contextFieldInFile), () => []),
    featureTags: v.exactOptional(v.array(importedTag)),
    segments: v.optional(v.array(object({ id, name: text })), () => []),
    tagTypes: v.array(tagTypeInput),
    dependencies: v.optional(v.array(importedDependencies), () => []),
    links: v.exactOptional(v.array(importedLinks)),
  }),
});
export type ImportData = v.InferOutput<typeof importData>;
export type ExportData = ImportData['data'];

/**
 * Selection of an export (`exportQuerySchema`): the named features, otherwise those with the tag, of one project or of
 * all.
 */
export const exportQuery = object({
  environment: text,
  features: v.exactOptional(v.array(text)),
  tag: v.exactOptional(text),
  project: v.exactOptional(text),
  downloadFile: v.optional(boolean, false),
});
export type ExportQuery = v.InferOutput<typeof exportQuery>;

/** Features with all that an import of them needs (`exportResultSchema`). */
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
  // An environment goes by the name of its feature, as in Unleash.
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

const items = v.array(object({ message: text, affectedItems: v.array(text) }));

/** Outcome of the validation of an import. */
export const importValidation = object({ errors: items, warnings: items, permissions: items });
export type ImportValidation = v.InferOutput<typeof importValidation>;
