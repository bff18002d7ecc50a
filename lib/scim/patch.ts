import { truncate } from '../errors.ts';
import {
  type Attribute,
  findAttribute,
  findAttributeOf,
  type ResourceKind,
  type ScimResource,
  withoutSchema,
} from './attributes.ts';
import { ComparisonBudget } from './comparison-budget.ts';
import { filterCostOf, listRequiredValues, parseFilter, testOf } from './filter.ts';
import { isObject, parseSingle, parseValue, requireAttributes } from './parse-resource.ts';
import { ScimError } from './scim-error.ts';

/** An operation of a PATCH, as it was sent. */
interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path?: string;
  readonly value?: unknown;
}

const operationsMax = 1_000;

/**
 * Reads the operations of a PATCH, by RFC 7644 or in the dialect of Entra, which begins their names with a capital letter.
 * @throws ApiError 400 for other content.
 */
export function parseOperations(body: unknown): Operation[] {
  const sent = isObject(body) ? Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1] : [];
  if (!Array.isArray(sent) || sent.length === 0)
    throw new ScimError('invalidSyntax', 'A PATCH needs a list of "Operations".');
  if (sent.length > operationsMax)
    throw new ScimError('invalidValue', `A PATCH has at most ${operationsMax} operations.`);
  return sent.map((operation) => {
    if (!isObject(operation)) throw new ScimError('invalidSyntax', 'An operation must be an object.');
    const parts = Object.fromEntries(Object.entries(operation).map(([name, part]) => [name.toLowerCase(), part]));
    const op = typeof parts.op === 'string' ? parts.op.toLowerCase() : undefined;
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw new ScimError('invalidSyntax', 'An "op" is "add", "replace" or "remove".');
    if (parts.path !== undefined && parts.path !== null && typeof parts.path !== 'string')
      throw new ScimError('invalidPath', 'A "path" must be text.');
    return { op, ...(parts.path ? { path: parts.path as string } : {}), value: parts.value };
  });
}

/**
 * Applies the operations of a PATCH to a resource. Attributes of other schemas are ignored, and so are values that clients cannot set.
 * @throws ApiError 400 for an invalid operation, and without a required attribute.
 */
export function patchResource(
  kind: ResourceKind,
  resource: ScimResource,
  operations: readonly Operation[],
): ScimResource {
  const budget = new ComparisonBudget('invalidValue', 'The PATCH is too much work: send fewer operations at once.');
  const patched = operations.reduce((current, operation) => applyOperation(kind, current, operation, budget), resource);
  return requireAttributes(kind, patched);
}

function applyOperation(
  kind: ResourceKind,
  resource: ScimResource,
  { op, path, value }: Operation,
  budget: ComparisonBudget,
): ScimResource {
  const local = path === undefined ? '' : withoutSchema(kind, path);
  if (local === undefined) return resource;
  if (local === '') {
    if (op === 'remove') throw new ScimError('noTarget', 'The operation "remove" needs a path.');
    if (!isObject(value)) throw new ScimError('invalidValue', 'An operation without a path needs an object as value.');
    // A name may itself be a path, as in { "name.givenName": "Ann" }. The schema is the path of an object at most once.
    const isOfSchema = path !== undefined;
    return Object.entries(value).reduce((current, [name, part]) => {
      if (name === '' || (isOfSchema && withoutSchema(kind, name) === '')) return current;
      return applyOperation(kind, current, { op, path: name, value: part }, budget);
    }, resource);
  }
  return applyAt(kind, resource, parsePath(kind, local), { op, value }, budget);
}

/** The attribute, or the part of one, to which an operation applies. */
interface Target {
  /** Undefined for an attribute that is not stored. */
  readonly attribute: Attribute | undefined;
  /** Selects some values of the attribute. */
  readonly filter?: string | undefined;
  readonly sub?: Attribute | undefined;
}

function parsePath(kind: ResourceKind, path: string): Target {
  const match = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s.exec(path.trim());
  if (match === null) throw new ScimError('invalidPath', `The path "${truncate(path)}" is invalid.`);
  const [, name = '', filter, subName] = match;
  const attribute = findAttributeOf(kind, name);
  if (attribute === undefined || attribute.mutability === 'readOnly') return { attribute: undefined };
  if (filter !== undefined && !attribute.multiValued)
    throw new ScimError('invalidPath', `The attribute "${attribute.name}" has only one value.`);
  if (subName === undefined) return { attribute, filter };
  const sub = findAttribute(attribute.subAttributes ?? [], subName);
  return sub === undefined ? { attribute: undefined } : { attribute, filter, sub };
}

type Change = Pick<Operation, 'op' | 'value'>;

function applyAt(
  kind: ResourceKind,
  resource: ScimResource,
  target: Target,
  change: Change,
  budget: ComparisonBudget,
): ScimResource {
  const { attribute } = target;
  if (attribute === undefined) return resource;
  const before = resource[attribute.name];
  const after = attribute.multiValued
    ? changeValues(kind, (before ?? []) as readonly ScimResource[], { ...target, attribute }, change, budget)
    : changeSingle(before, { ...target, attribute }, change);
  const { [attribute.name]: _, ...others } = resource;
  const isEmpty = after === undefined || (Array.isArray(after) && after.length === 0);
  return isEmpty ? others : { ...others, [attribute.name]: after };
}

/** A target in a stored attribute. */
type StoredTarget = Target & { readonly attribute: Attribute };

function changeSingle(before: unknown, { attribute, sub }: StoredTarget, { op, value }: Change): unknown {
  if (attribute.type !== 'complex') return op === 'remove' ? undefined : parseValue(attribute, value);
  const parts = (before ?? {}) as ScimResource;
  if (sub !== undefined) return omitEmpty(setPart(parts, sub, op, value));
  if (op === 'remove') return undefined;
  const sent = parseValue(attribute, value);
  return sent === undefined ? undefined : { ...parts, ...(sent as ScimResource) };
}

function changeValues(
  kind: ResourceKind,
  before: readonly ScimResource[],
  { attribute, filter, sub }: StoredTarget,
  { op, value }: Change,
  budget: ComparisonBudget,
): readonly ScimResource[] {
  budget.take(1 + before.length / 4);
  if (filter === undefined && sub === undefined) return changeAll(attribute, before, { op, value });
  const condition = filter === undefined ? undefined : parseFilter(filter, 'invalidPath');
  if (condition !== undefined) budget.take(before.length * filterCostOf(condition));
  const isSelected = condition === undefined ? () => true : testOf(kind, condition);
  if (op === 'remove' && sub === undefined) return before.filter((single) => !isSelected(single));
  const change = (single: ScimResource): ScimResource => {
    if (sub !== undefined) return setPart(single, sub, op, value);
    return { ...single, ...((parseSingle(attribute, value) ?? {}) as ScimResource) };
  };
  if (before.some(isSelected)) {
    const changed = before.map((single) => (isSelected(single) ? change(single) : single));
    return withOnePrimary(
      before,
      changed.filter((single) => Object.keys(single).length > 0),
    );
  }
  if (op === 'remove') return before;
  if (op === 'replace' && condition !== undefined)
    throw new ScimError('noTarget', `No value of "${attribute.name}" matches the path.`);
  // Entra adds a value by the path that would select it.
  const selected = condition === undefined ? [] : listRequiredValues(kind, condition);
  const parts = selected.flatMap(({ attribute: name, value: part }) => {
    const known = findAttribute(attribute.subAttributes ?? [], name);
    return known === undefined ? [] : [[known.name, part] as const];
  });
  const added = change(Object.fromEntries(parts));
  return Object.keys(added).length === 0 ? before : withOnePrimary(before, [...before, added]);
}

/** Adds, replaces or removes whole values. */
function changeAll(
  attribute: Attribute,
  before: readonly ScimResource[],
  { op, value }: Change,
): readonly ScimResource[] {
  const sent = (parseValue(attribute, value) ?? []) as readonly ScimResource[];
  if (op === 'replace') return uniqueByValue(sent);
  if (op === 'add') return withOnePrimary(before, uniqueByValue([...before, ...sent]));
  // Okta and Entra name the members to remove in the value. Without one, all are removed.
  if (value === undefined || value === null) return [];
  const removed = new Set(sent.map(({ value: id }) => id));
  return before.filter(({ value: id }) => !removed.has(id));
}

/** Keeps the last of several equal values, at the index of the first. */
function uniqueByValue(values: readonly ScimResource[]): ScimResource[] {
  return [...new Map(values.map((single) => [single.value ?? single, single])).values()];
}

/** Leaves only the newest primary value primary. */
function withOnePrimary(before: readonly ScimResource[], after: readonly ScimResource[]): readonly ScimResource[] {
  const primaries = after.filter(({ primary }) => primary === true);
  const newest = primaries.findLast((single) => !before.includes(single)) ?? primaries.at(-1);
  if (primaries.length < 2) return after;
  return after.map((single) => (single.primary === true && single !== newest ? { ...single, primary: false } : single));
}

function setPart(parts: ScimResource, sub: Attribute, op: Operation['op'], value: unknown): ScimResource {
  const { [sub.name]: _, ...others } = parts;
  const part = op === 'remove' ? undefined : parseValue(sub, value);
  return part === undefined ? others : { ...others, [sub.name]: part };
}

function omitEmpty(parts: ScimResource): ScimResource | undefined {
  return Object.keys(parts).length === 0 ? undefined : parts;
}
