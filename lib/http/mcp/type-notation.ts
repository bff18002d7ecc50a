import type { JsonSchema } from '@valibot/to-json-schema';

/** Writes a JSON Schema as a type of TypeScript. Models read it as well, and it has a third of the characters. */
export function writeType(schema: JsonSchema): string {
  const { anyOf, enum: values = schema.const === undefined ? undefined : [schema.const] } = schema;
  if (anyOf !== undefined) return joinTypes(anyOf.map((each) => writeType(each as JsonSchema)));
  if (values !== undefined) return joinTypes(values.map((value) => `'${value}'`));
  if (schema.type === 'array') return `${inBrackets(writeType(schema.items as JsonSchema))}[]`;
  if (schema.type !== 'object') return String(schema.type ?? 'unknown');
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries(properties).map(
    ([name, each]) => `${name}${required.includes(name) ? '' : '?'}: ${writeType(each as JsonSchema)}`,
  );
  if (members.length > 0) return `{ ${members.join(', ')} }`;
  return typeof additionalProperties === 'object' ? `Record<string, ${writeType(additionalProperties)}>` : 'object';
}

function joinTypes(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function inBrackets(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type;
}
