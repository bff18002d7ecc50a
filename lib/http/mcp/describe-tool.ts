import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { cachePerObject } from '../../values/cache.ts';
import { answerOf, type Tool } from './tool.ts';
import { writeType } from './type-notation.ts';

type ObjectJsonSchema = JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };

/** Returns a tool as clients list it. */
export const describeTool = cachePerObject((tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: writeSchema(tool.input, 'input', tool.types),
  outputSchema: writeSchema(answerOf(tool), 'output'),
  annotations: { title: tool.title, ...tool.annotations, openWorldHint: false },
}));

/**
 * Writes the JSON Schema of the arguments or of the answer of a tool for models. A variant becomes one object with a text about its types:
 * some APIs of models ignore `oneOf`, `const` and `$ref`, and some clients cut the options out of a schema of more than 5,000 bytes.
 * @param types schemas that a variant contains several times, by name. A schema comes before the schemas in it.
 */
function writeSchema(
  schema: GenericSchema,
  typeMode: NonNullable<ConversionConfig['typeMode']>,
  types: Readonly<Record<string, GenericSchema>> = {},
): JsonSchema {
  const named = Object.entries(types).map(([name, type]) => [name, writeType(writeSchema(type, typeMode))] as const);
  const { $schema: _dialect, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode,
    // JSON Schema cannot express rules between fields; the tool checks them.
    errorMode: 'ignore',
    overrideAction: ({ jsonSchema }) => withoutDetails(jsonSchema),
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      isVariant(valibotSchema)
        ? mergeOptions(jsonSchema.oneOf as ObjectJsonSchema[], valibotSchema.key, named)
        : undefined,
  });
  return rest;
}

function isVariant(schema: GenericSchema): schema is GenericSchema & { readonly key: string } {
  return schema.type === 'variant';
}

/** Removes patterns, and the bounds that all texts and whole numbers have: a model would pay for them, and tools check them. */
function withoutDetails({ pattern: _pattern, format: _format, ...schema }: JsonSchema): JsonSchema {
  const { minLength, minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(minLength !== undefined && minLength > 1 && { minLength }),
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/** Merges the options of a variant into one object. The description of a property lists its type for each value of the key. */
function mergeOptions(options: readonly ObjectJsonSchema[], key: string, named: readonly NamedType[]): JsonSchema {
  const keyOf = ({ properties }: ObjectJsonSchema) => String(properties[key]?.const);
  const names = new Set(options.flatMap(({ properties }) => Object.keys(properties)));
  names.delete(key);
  const mergeProperty = (name: string): JsonSchema => {
    const schemas = options.flatMap(({ properties }) => properties[name] ?? []);
    const [usual] =
      [...Map.groupBy(schemas, writeType).values()].find(({ length }) => length > options.length / 2) ?? [];
    if (usual !== undefined) return usual;
    const typeIn = ({ properties, required = [] }: ObjectJsonSchema) =>
      required.includes(name) ? writeType(properties[name] ?? {}) : 'none';
    const byType = Map.groupBy(options, typeIn);
    const lines = [...byType].map(([type, each]) => `${each.map(keyOf).join(', ')}: ${type}`);
    const types = new Set(schemas.flatMap(({ type }) => type ?? []));
    return {
      anyOf: [...types].map((type) => (type === 'array' ? { type, items: { type: 'object' } } : { type })),
      description: [`The ${name} by ${key}, as types of TypeScript:`, ...useNames(lines, named)].join('\n'),
    };
  };
  return {
    type: 'object',
    properties: {
      [key]: { type: 'string', enum: options.map(keyOf) },
      ...Object.fromEntries([...names].map((name) => [name, mergeProperty(name)])),
    },
    required: [key],
  };
}

type NamedType = readonly [name: string, type: string];

/** Replaces types by their names, and adds a line for each name. */
function useNames(lines: readonly string[], named: readonly NamedType[]): string[] {
  const all = [...lines, ...named.map(([name, type]) => `${name} = ${type}`)];
  return all.map((line) =>
    named.reduce((text, [name, type]) => (text === `${name} = ${type}` ? text : text.replaceAll(type, name)), line),
  );
}
