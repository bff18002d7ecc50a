import * as v from 'valibot';
import { contextFieldInFile } from '../context-fields/context-field-schema.ts';
import { importedVariants } from '../features/environments/variant-schema.ts';
import { featureDescription, featureType } from '../features/feature-schema.ts';
import { exportedStrategy } from '../features/strategies/strategy-input-schema.ts';
import { tagTypeInput, tagValueInput } from '../tags/tag-schema.ts';
import { boolean, id, nonEmptyText, object, text } from '../values/primitives.ts';

/**
 * A feature in a file to import. Names are any text here and validated with all other facts later, so that one reply lists
 * every problem of a file.
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

/** A tag of a feature, with `tagType` and `tagValue` or with the deprecated `type` and `value`. */
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

/** The content of an export with the target of its import (`importTogglesSchema`). */
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

const items = v.array(object({ message: text, affectedItems: v.array(text) }));

/** The outcome of the validation of an import. */
export const importValidation = object({ errors: items, warnings: items, permissions: items });
export type ImportValidation = v.InferOutput<typeof importValidation>;
