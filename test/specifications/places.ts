import { writtenForms } from '../../lib/http/openapi-schemas.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** As much of a JSON schema as the bodies use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly maxItems?: number;
}

/** A place in a body: what its schema says of it. */
export interface Place {
  /** With dots, as the details of an error name it ("constraints.0.values"). */
  readonly path: string;
  /** As in JSON Schema; or `written string` and `written boolean`, which may be written as something else. */
  readonly type: string;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  /** True for the element of a list, or of a map. */
  readonly isElement: boolean;
  /** True if its keys are free. */
  readonly isMap: boolean;
  /** The only texts that it takes, if it does not take any. */
  readonly options: readonly string[];
}

/** Notes of the document on places that take another type as well. */
const notes = Object.values(writtenForms);

/**
 * All places in a body that its schema knows, the body itself not included.
 * @throws Error where the body lacks one of them.
 */
export function placesIn(document: unknown, schema: unknown, body: unknown): Place[] {
  const places: Place[] = [];

  function walk(given: Schema, value: unknown, path: string, role: Pick<Place, 'isRequired' | 'isElement'>): void {
    const { schema, isNullable } = resolved(given);
    const { properties = {}, required = [], additionalProperties, items, maxItems, const: word } = schema;
    const { type = word === undefined ? '' : 'string', enum: options = word === undefined ? [] : [word] } = schema;
    const isMap = additionalProperties !== undefined;
    if (path !== '') places.push({ path, type, isNullable, isMap, options, ...role });
    const below = (key: string | number) => (path === '' ? `${key}` : `${path}.${key}`);
    for (const [name, property] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      walk(property, memberOf(value, name, below(name)), below(name), { isRequired, isElement: false });
    }
    const element = { isRequired: false, isElement: true };
    if (additionalProperties) {
      const [key = ''] = Object.keys(value as object);
      walk(additionalProperties, memberOf(value, key, below('*')), below(key), element);
    }
    if (items && maxItems !== 0) walk(items, memberOf(value, '0', below(0)), below(0), element);
  }

  /** Returns the schema that a reference names; another schema as it is. */
  function refersTo(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const [, , section, name] = schema.$ref.split('/');
    const { components } = document as { components: Record<string, Record<string, Schema>> };
    return components[section ?? '']?.[name ?? ''] ?? {};
  }

  function resolved(schema: Schema): { schema: Schema; isNullable: boolean } {
    if (schema.$ref !== undefined) return resolved(refersTo(schema));
    const [first, second] = schema.anyOf ?? [];
    if (first !== undefined && second?.type === 'null') return { ...resolved(first), isNullable: true };
    // A value with several possible types is checked as a whole.
    const forms = schema.anyOf ?? schema.oneOf;
    if (forms !== undefined) {
      const isPlain = (form: Schema) =>
        form.enum !== undefined || ['string', 'integer', 'number'].includes(form.type ?? '');
      // A word or a number: what it refuses is for the operation's own tests.
      if (forms.every(isPlain)) return { schema: {}, isNullable: false };
      return { schema: { type: forms.some(({ type }) => type === 'array') ? 'array' : 'object' }, isNullable: false };
    }
    const isWritten = notes.some((note) => schema.description?.startsWith(note));
    return { schema: isWritten ? { ...schema, type: `written ${schema.type}` } : schema, isNullable: false };
  }

  walk(formOf(schema as Schema, body, refersTo), body, '', { isRequired: false, isElement: false });
  return places;
}

/** Returns the form that a body has, of a schema of several that differ in a word, or of one thing and of many. */
function formOf(given: Schema, body: unknown, refersTo: (schema: Schema) => Schema): Schema {
  const schema = refersTo(given);
  const forms = (schema.oneOf ?? schema.anyOf)?.map(refersTo);
  if (forms === undefined) return schema;
  const isOf = ({ type, oneOf, anyOf, properties = {} }: Schema): boolean => {
    const below = (oneOf ?? anyOf)?.map(refersTo);
    if (below !== undefined) return below.some(isOf);
    if ((type === 'array') !== Array.isArray(body)) return false;
    const sent = body as Readonly<Record<string, unknown>>;
    return Object.entries(properties).every(([name, { const: word, enum: words }]) =>
      word !== undefined ? sent[name] === word : words === undefined || words.includes(String(sent[name])),
    );
  };
  const form = forms.find(isOf);
  if (form === undefined) throw new Error('The example of a body has no form of its schema.');
  return formOf(form, body, refersTo);
}

function memberOf(value: unknown, key: string, path: string): unknown {
  const member = (value as Record<string, unknown>)[key];
  if (member === undefined) throw new Error(`The example of a body lacks ${path}.`);
  return member;
}

type Container = Record<string, unknown>;

/** A copy of a body, changed at the place that a path names. */
function changed(body: unknown, path: string, change: (container: Container, key: string) => void): unknown {
  const copy = structuredClone(body);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  change(
    keys.reduce((container, key) => container[key] as Container, copy as Container),
    last,
  );
  return copy;
}

export function withValue(body: unknown, path: string, value: Json): unknown {
  return changed(body, path, (container, key) => {
    container[key] = value;
  });
}

export function withoutPlace(body: unknown, path: string): unknown {
  return changed(body, path, (container, key) => {
    delete container[key];
  });
}

/** A copy of a body with one more property in the object at a path; an empty path means the body itself. */
export function withKey(body: unknown, path: string, key: string, value: Json): unknown {
  return changed(body, path === '' ? key : `${path}.${key}`, (container, last) => {
    container[last] = value;
  });
}
