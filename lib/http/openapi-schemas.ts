import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { textPattern } from '../values/primitives.ts';
import { components } from './components.ts';

type Json = Record<string, unknown>;

const conversion = {
  target: 'draft-2020-12',
  // The schemas describe input before defaults and transformations.
  typeMode: 'input',
  // JSON Schema cannot express rules between fields, so they are omitted.
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ valibotAction: { type }, jsonSchema: { pattern, ...schema } }) => {
    // All texts have this pattern, and Go's regular expressions cannot express it.
    if (pattern === textPattern.source) return schema;
    // Without a format, generated Go and Java clients use 32 bits for ids.
    return type === 'safe_integer' ? { ...schema, format: 'int64' } : undefined;
  },
  overrideSchema: ({ valibotSchema: { type }, jsonSchema }) => schemaForClients(type, jsonSchema),
} as const satisfies ConversionConfig;

/** Returns the schemas of the components, by name. */
export function componentSchemas(): Json {
  return toJsonSchemaDefs(components, conversion);
}

/** Returns the schema of a body. */
export function schemaOf(schema: GenericSchema): Json {
  return convert(schema, conversion);
}

/** Returns the schemas of the parameters of a path or a query by name, including their defaults. */
export function parametersOf(schema: GenericSchema) {
  const { overrideSchema: _, ...config } = conversion;
  const { properties = {}, required = [] } = convert(schema, config);
  return { properties, required } as { properties: Record<string, Json>; required: string[] };
}

function convert(schema: GenericSchema, config: ConversionConfig): Json {
  const {
    $schema: _dialect,
    $defs: _definitions,
    ...rest
  } = toJsonSchema(schema, { ...config, definitions: components });
  return rest;
}

/**
 * Notes on properties that scripts may send in another type, by the types of all forms.
 * @internal
 */
export const writtenForms: Readonly<Record<string, string>> = {
  'string number boolean': 'Numbers and booleans are also accepted, and converted to text.',
  'boolean string': '"true" and "false" are also accepted.',
};

/** Returns a schema in a form from which generators make clients that compile and are easy to use. */
function schemaForClients(type: string, { default: byDefault, ...schema }: JsonSchema): JsonSchema {
  const [usual, ...others] = (schema.anyOf ?? []) as JsonSchema[];
  const note = writtenForms[[usual, ...others].map((form) => form?.type).join(' ')];
  if (note !== undefined) return { ...usual, description: note };
  if (byDefault !== undefined) {
    // openapi-typescript makes a property with a default required.
    const notes = [schema.description, `Default: ${JSON.stringify(byDefault)}.`];
    return { ...schema, description: notes.filter(Boolean).join(' ') };
  }
  // Otherwise strict clients would refuse properties that the schema does not name.
  return type === 'loose_object' ? { ...schema, additionalProperties: {} } : schema;
}
