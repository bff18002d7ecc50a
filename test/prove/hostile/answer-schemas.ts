import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { document, type SpecifiedOperation } from './operations.ts';

const isoTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const ajv = new Ajv2020({
  strict: false,
  // The house's own timestamps, which are stricter than what the format allows.
  formats: { 'date-time': isoTimestamp },
});
ajv.addSchema(closed({ $id: 'document', components: document.components }));

const compiled = new Map<string, ValidateFunction>();

/** Lists the deviations of an answer's body from the document; a property that the document does not know is one. */
export function schemaProblems(
  { operationId, description }: SpecifiedOperation,
  { status, type }: { readonly status: number; readonly type: string },
  body: unknown,
): string[] {
  const schema = description.responses[status]?.content?.[type]?.schema;
  if (schema === undefined) return [`${operationId} documents no body with ${status}.`];
  return problemsBy(`${operationId} ${status}`, schema, body);
}

/** Lists the deviations of an error that no operation answered, by the component that describes it. */
export function errorProblems(body: unknown, component: 'Error' | 'ScimError'): string[] {
  return problemsBy(component, { $ref: `#/components/schemas/${component}` }, body);
}

function problemsBy(id: string, schema: object, body: unknown): string[] {
  let validate = compiled.get(id);
  if (validate === undefined) {
    validate = ajv.compile(closed(schema) as object);
    compiled.set(id, validate);
  }
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `The body does not match the document: ${instancePath || 'it'} ${message} ${JSON.stringify(params)}`.slice(0, 300),
  );
}

/** Copies a schema so that objects have no properties but those described: nothing internal slips out beside them. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === '$ref') return [key, `document${value}`];
      // A context comes back as it was sent, with any time that its format allows.
      if (key === 'currentTime') return [key, {}];
      return [key, key === 'enum' ? value : closed(value)];
    }),
  );
  const { properties, additionalProperties } = copy;
  const isList = typeof properties === 'object' && Object.keys(properties).length > 0 && copy.type === 'object';
  return (isList && additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy) as T;
}
