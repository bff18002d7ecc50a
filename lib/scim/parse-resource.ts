import * as v from 'valibot';
import { truncate } from '../errors.ts';
import { textOfLength } from '../values/primitives.ts';
import { type Attribute, findAttribute, findAttributeOf, type ResourceKind, type ScimResource } from './attributes.ts';
import { ScimError } from './scim-error.ts';

const attributeText = textOfLength(0, 1_024);
/** The most values of an attribute with several. */
const valuesMax = 10_000;

/**
 * Reads a resource that a client sent. Names of attributes may have any case. Attributes of other schemas and those that clients
 * cannot set are ignored; null and empty lists mean that there is no value.
 * @throws ApiError 400 for a value of a wrong type, and without a required attribute that has no default.
 */
export function parseResource(kind: ResourceKind, sent: unknown): ScimResource {
  if (!isObject(sent)) throw new ScimError('invalidSyntax', 'The body must be an object.');
  const entries = Object.entries(sent).flatMap(([name, value]) => {
    const attribute = findAttributeOf(kind, name);
    return attribute === undefined || attribute.mutability === 'readOnly' ? [] : [[attribute, value] as const];
  });
  return requireAttributes(kind, buildObject(entries));
}

/** @throws ApiError 400 without a required attribute that has no default. */
export function requireAttributes(kind: ResourceKind, resource: ScimResource): ScimResource {
  for (const { name, type, required } of kind.attributes) {
    // A boolean that is required has a default.
    if (!required || type === 'boolean') continue;
    if (typeof resource[name] !== 'string' || resource[name].trim() === '') {
      throw new ScimError('invalidValue', `The attribute "${name}" is required.`);
    }
  }
  return resource;
}

/**
 * Reads the value of an attribute; undefined for none.
 * @throws ApiError 400 for a value of a wrong type.
 */
export function parseValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return parseSingle(attribute, value);
  const values = Array.isArray(value) ? value : [value];
  if (values.length > valuesMax)
    throw invalidValue(attribute, `must have at most ${valuesMax} values; it has ${values.length}`);
  const parsed = values.map((single) => parseSingle(attribute, single)).filter((single) => single !== undefined);
  return parsed.length === 0 ? undefined : parsed;
}

/** Reads one value. In place of an object, its most important part may be sent alone. */
export function parseSingle(attribute: Attribute, value: unknown): unknown {
  const { type, subAttributes = [] } = attribute;
  if (value === null || value === undefined) return undefined;
  if (type === 'complex') {
    const sent = typeof value === 'string' && attribute.multiValued ? { value } : value;
    if (!isObject(sent)) throw invalidValue(attribute, 'must be an object');
    const entries = Object.entries(sent).flatMap(([name, part]) => {
      const sub = findAttribute(subAttributes, name);
      return sub === undefined ? [] : [[sub, part] as const];
    });
    const parsed = buildObject(entries);
    return Object.keys(parsed).length === 0 ? undefined : parsed;
  }
  if (type === 'boolean') return parseBoolean(attribute, value);
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (!v.is(attributeText, text)) throw invalidValue(attribute, 'must be text of at most 1,024 characters');
  return text;
}

/** Entra sends booleans as text that begins with a capital letter. */
function parseBoolean(attribute: Attribute, value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (typeof value === 'object' || (text !== 'true' && text !== 'false')) {
    throw invalidValue(attribute, 'must be true or false');
  }
  return text === 'true';
}

function invalidValue({ name }: Attribute, rule: string): ScimError {
  return new ScimError('invalidValue', `The attribute "${truncate(name)}" ${rule}.`);
}

function buildObject(entries: readonly (readonly [Attribute, unknown])[]): ScimResource {
  const parsed = entries.map(([attribute, value]) => [attribute.name, parseValue(attribute, value)] as const);
  return Object.fromEntries(parsed.filter(([, value]) => value !== undefined));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
