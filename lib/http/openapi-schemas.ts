import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { textPattern } from '../values/primitives.ts';
import { components } from './components.ts';

type Json = Record<string, unknown>;

const conversion = {
  target: 'draft-2020-12',
  // What a schema fills in or turns into something else is described as it is sent.
  typeMode: 'input',
  // Rules between fields have no form in JSON Schema; the description leaves them out.
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ valibotAction: { type }, jsonSchema: { pattern, ...schema } }) => {
    // Said once for all texts; the regular expressions of Go cannot express it.
    if (pattern === textPattern.source) return schema;
    // Without a format, Go and Java read ids into 32 bits.
    return type === 'safe_integer' ? { ...schema, format: 'int64' } : undefined;
  },
  overrideSchema: ({ valibotSchema: { type }, jsonSchema }) => schemaForClients(type, jsonSchema),
} as const satisfies ConversionConfig;

/** Returns the schemas that others refer to, by name. */
export function componentSchemas(): Json {
  return toJsonSchemaDefs(components, conversion);
}

/** Returns the schema of a body. */
export function schemaOf(schema: GenericSchema): Json {
  return converted(schema, conversion);
}

/** Returns the schemas of the parameters of a path or a query, with what they are by default, by name. */
export function parametersOf(schema: GenericSchema) {
  const { overrideSchema: _, ...config } = conversion;
  const { properties = {}, required = [] } = converted(schema, config);
  return { properties, required } as { properties: Record<string, Json>; required: string[] };
}

function converted(schema: GenericSchema, config: ConversionConfig): Json {
  const {
    $schema: _dialect,
    $defs: _definitions,
    ...rest
  } = toJsonSchema(schema, { ...config, definitions: components });
  return rest;
}

/**
 * Notes on the properties that scripts may write in another form than the usual one, by the types of all forms.
 * @internal
 */
export const writtenForms: Readonly<Record<string, string>> = {
  'string number boolean': 'A number, true and false are taken as text.',
  'boolean string': '"true" and "false" are taken as well.',
};

/** Returns a schema in a form from which generators make clients that compile and are handy. */
function schemaForClients(type: string, { default: byDefault, ...schema }: JsonSchema): JsonSchema {
  const [usual, ...others] = (schema.anyOf ?? []) as JsonSchema[];
  const note = writtenForms[[usual, ...others].map((form) => form?.type).join(' ')];
  if (note !== undefined) return { ...usual, description: note };
  if (byDefault !== undefined) {
    // A property with a default is required in the types that openapi-typescript makes.
    const notes = [schema.description, `Default: ${JSON.stringify(byDefault)}.`];
    return { ...schema, description: notes.filter(Boolean).join(' ') };
  }
  // Strict clients refuse properties that are not described.
  return type === 'loose_object' ? { ...schema, additionalProperties: {} } : schema;
}
