import * as v from 'valibot';
import { object, pathItem, record, text } from '../values/primitives.ts';

/** A longer text would be hashed and searched again for each feature. */
const textLengthMax = 4_096;

/** The part of a context that is sent: texts by their names, and those that were sent as properties. */
interface SentTexts {
  readonly texts: Record<string, string>;
  readonly properties: Record<string, string>;
}

/** Returns the text that stands for a value in a constraint; undefined if it has none. */
function textOf(value: unknown): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * A context: texts, numbers and truth values by their names, and more of them below `properties`. What is null counts as
 * not sent.
 * @param isOpen whether lists and objects are taken as well, as their JSON.
 */
function contextOf(isOpen: boolean) {
  return v.pipe(
    record(v.unknown()),
    v.rawTransform(({ dataset, addIssue, NEVER }): SentTexts => {
      const context: SentTexts = { texts: {}, properties: {} };
      const { properties = null, ...others } = dataset.value;
      let isGood = true;
      const refuse = (message: string, ...path: string[]) => {
        isGood = false;
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
      return isGood ? context : NEVER;
    }),
  );
}

/** The body that a frontend SDK posts. */
export const frontendContext = object({ context: v.exactOptional(contextOf(false)) });

/** The body that an OpenFeature provider posts. The targeting key is the user's id unless there is one. */
export const ofrepContext = object({
  context: v.exactOptional(
    v.pipe(
      contextOf(true),
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

/** The query that a frontend SDK sends: `userId=7&properties[plan]=paid`. */
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
 * The variant, which also has `featureEnabled`, as Unleash's has: generated clients cannot tell that name from
 * `feature_enabled`.
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
