import { type Compare, type Filter, parse, Tester } from 'scim2-parse-filter';
import type { ResourceKind } from './attributes.ts';
import { ScimError, type ScimType } from './scim-error.ts';

/** Longer filters would nest too deeply for the parser. */
const filterLengthMax = 2_000;

/**
 * Parses a filter.
 * @param scimType the reason of the error for an invalid one.
 * @throws ApiError 400 for an invalid filter.
 */
export function parseFilter(text: string, scimType: ScimType = 'invalidFilter'): Filter {
  if (text.length > filterLengthMax)
    throw new ScimError(scimType, `A filter has at most ${filterLengthMax} characters.`);
  // Entra writes booleans with a capital letter.
  const lenient = text.replace(/\b(eq|ne) (True|False)(?=\s*(?:$|[\])]|and\b|or\b))/gi, (_, op, value) => {
    return `${op} ${String(value).toLowerCase()}`;
  });
  try {
    return parse(lenient);
  } catch {
    throw new ScimError(scimType, `The filter "${text.slice(0, 200)}" is invalid.`);
  }
}

type Value = Compare['compValue'];

/** Compares text in any case, booleans with their text, and objects by their `value`: `members eq "user-1"`. */
class LenientTester extends Tester {
  readonly #schema: string;

  constructor({ schema }: ResourceKind) {
    super();
    this.#schema = `${schema.toLowerCase()}:`;
  }

  override attrPath(path: string): string[] {
    const isOwn = path.toLowerCase().startsWith(this.#schema);
    return super.attrPath(isOwn ? path.slice(this.#schema.length) : path);
  }

  override attrTest(path: string[], value: unknown, test: (value: unknown) => boolean): boolean {
    if (path.length === 0 && Array.isArray(value)) return value.some((single) => test(single));
    return super.attrTest(path, value, test);
  }

  override eq(value: unknown, wanted: Value): boolean {
    return normalize(value) === normalize(wanted);
  }
  override ne(value: unknown, wanted: Value): boolean {
    return !this.eq(value, wanted);
  }
  override co(value: unknown, wanted: Value): boolean {
    return super.co(normalize(value), normalize(wanted));
  }
  override sw(value: unknown, wanted: Value): boolean {
    return super.sw(normalize(value), normalize(wanted));
  }
  override ew(value: unknown, wanted: Value): boolean {
    return super.ew(normalize(value), normalize(wanted));
  }
}

function normalize(value: unknown): Value {
  if (typeof value === 'string') return value.toLowerCase();
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return value;
  const inner = (value as { readonly value?: unknown } | null | undefined)?.value;
  return typeof inner === 'string' ? inner.toLowerCase() : null;
}

/** Returns the test of resources of a kind, or of their values, that a filter describes. */
export function testOf(kind: ResourceKind, filter: Filter): (resource: unknown) => boolean {
  if (filter.op === 'eq' && filter.attrPath === 'value' && typeof filter.compValue === 'string') {
    // Directories remove members one by one, from groups of thousands.
    const wanted = filter.compValue.toLowerCase();
    return (single) => String((single as { readonly value?: unknown }).value).toLowerCase() === wanted;
  }
  const tester = new LenientTester(kind);
  return (resource) => tester.test(resource, filter);
}

/** Returns the largest number of comparisons that a filter takes for a resource, or a value. That of an id is cheap. */
export function filterCostOf(filter: Filter): number {
  if (filter.op === 'and' || filter.op === 'or')
    return filter.filters.reduce((sum, part) => sum + filterCostOf(part), 0);
  if (filter.op === 'not') return filterCostOf(filter.filter);
  if (filter.op === '[]') return filterCostOf(filter.valFilter);
  return filter.op === 'eq' && filter.attrPath === 'value' ? 0.1 : 1;
}

/** An attribute, in lower case, and the value that every match of a filter has. */
export interface RequiredValue {
  readonly attribute: string;
  readonly value: string;
}

/** Lists the values that every match of a filter has, which an index can find: `userName eq "ann@example.com"`. */
export function listRequiredValues(kind: ResourceKind, filter: Filter, parent = ''): RequiredValue[] {
  if (filter.op === 'and') return filter.filters.flatMap((part) => listRequiredValues(kind, part, parent));
  if (filter.op === '[]') return listRequiredValues(kind, filter.valFilter, `${filter.attrPath}.`);
  if (filter.op !== 'eq' || typeof filter.compValue !== 'string') return [];
  const path = `${parent}${filter.attrPath}`.toLowerCase();
  const prefix = `${kind.schema.toLowerCase()}:`;
  return [{ attribute: path.startsWith(prefix) ? path.slice(prefix.length) : path, value: filter.compValue }];
}
