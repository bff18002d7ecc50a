import * as v from 'valibot';
import { object, pathItem, record, text } from '../values/primitives.ts';

/** The most characters of a text, since each feature hashes and searches it again. */
const textLengthMax = 4_096;

/** A context as it was sent: texts by name, and texts of properties by name. */
interface SentTexts {
  readonly texts: Record<string, string>;
  readonly properties: Record<string, string>;
}

/** Returns a value as text for constraints; undefined for null. */
function textOf(value: unknown): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Builds the schema of a context: texts, numbers and booleans by name, and further ones in `properties`. Null counts as missing.
 * @param isOpen whether lists and objects are accepted, too, as their JSON.
 */
function buildContextSchema(isOpen: boolean) {
  return v.pipe(
    record(v.unknown()),
    v.rawTransform(({ dataset, addIssue, NEVER }): SentTexts => {
      const context: SentTexts = { texts: {}, properties: {} };
      const { properties = null, ...others } = dataset.value;
      let isValid = true;
      const refuse = (message: string, ...path: string[]) => {
        isValid = false;
        addIssue({ message, path: path.map(pathItem) as [v.ObjectPathItem, ...v.ObjectPathItem[]] });
      };
      const collect = (values: object, into: Record<string, string>, ...path: string[]) => {
        for (const [name, value] of Object.entries(values)) {
          const sent = textOf(value);
          if (typeof value === 'object' && value !== null && !isOpen) {
            refuse('A text, a number or a boolean is required.', ...path, name);
          } else if (sent !== undefined && sent.length > textLengthMax) {
            refuse(`At most ${textLengthMax} characters are allowed.`, ...path, name);
          } else if (sent !== undefined) into[name] = sent;
        }
      };
      collect(others, context.texts);
      if (properties !== null && (typeof properties !== 'object' || Array.isArray(properties))) {
        refuse('An object is required.', 'properties');
      } else collect(properties ?? {}, context.properties, 'properties');
      return isValid ? context : NEVER;
    }),
  );
}

/** The body of a frontend SDK. */
export const frontendContext = object({ context: v.exactOptional(buildContextSchema(false)) });

/** The body of an OpenFeature provider. Without a `userId`, the targeting key is the id of the user. */
export const ofrepContext = object({
  context: v.exactOptional(
    v.pipe(
      buildContextSchema(true),
      v.transform(({ texts: { targetingKey, ...texts }, properties }): SentTexts => {
        const withKey = targetingKey === undefined ? {} : { targetingKey };
        return {
          texts: { ...(targetingKey !== undefined && { userId: targetingKey }), ...texts },
          properties: { ...withKey, ...properties },
        };
      }),
    ),
  ),
});

/** The query of a frontend SDK: `userId=7&properties[plan]=paid`. */
export const contextInQuery = v.pipe(
  v.record(v.string(), v.string()),
  v.transform((sent): SentTexts => {
    const context: SentTexts = { texts: {}, properties: {} };
    for (const [name, value] of Object.entries(sent)) {
      const [, property] = /^properties\[(.*)\]$/s.exec(name) ?? [];
      if (property === undefined) context.texts[name] = value;
      else context.properties[property] = value;
    }
    return context;
  }),
);

/**
 * The variant. It also has `featureEnabled`, as on Unleash, which the schema omits: in generated clients, that name would clash
 * with `feature_enabled`.
 */
const variant = v.looseObject({
  name: text,
  enabled: v.boolean(),
  payload: v.exactOptional(object({ type: text, value: text })),
  feature_enabled: v.boolean(),
});

/** The features that are on (`frontendApiFeaturesSchema`). */
export const frontendFeatures = object({
  toggles: v.array(object({ name: text, enabled: v.literal(true), variant, impressionData: v.boolean() })),
});
