import {
  type Attribute,
  findAttribute,
  findAttributeOf,
  type ResourceKind,
  type ScimResource,
  withoutSchema,
} from './attributes.ts';

/** A user or a group that a directory manages. */
export interface StoredResource {
  /** The id of the user or the group here. */
  readonly id: number;
  readonly resource: ScimResource;
  readonly createdAt: string;
  readonly modifiedAt: string;
  readonly version: number;
}

/** The attributes that a client wants in replies; both are lists with commas. */
export interface AttributeSelection {
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}

/** The address with which links to resources begin. */
export interface LinkBase {
  /** The address of the service; links are relative without it. */
  readonly origin: string | undefined;
}

/** Returns the id of a resource for the directory. No user shares one with a group. */
export function scimIdOf({ name }: Pick<ResourceKind, 'name'>, id: number): string {
  return `${name.toLowerCase()}-${id}`;
}

/** Returns the id here of a resource; undefined for text that is no id of this kind. */
export function parseScimId({ name }: Pick<ResourceKind, 'name'>, text: string): number | undefined {
  const prefix = `${name.toLowerCase()}-`;
  const number = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  return /^[1-9]\d{0,14}$/.test(number) ? Number(number) : undefined;
}

/** Returns the address of a resource. */
export function locationOf(kind: ResourceKind, id: number, { origin = '' }: LinkBase): string {
  return `${origin}/scim${kind.endpoint}/${scimIdOf(kind, id)}`;
}

/** Returns a resource as SCIM shows it, with the attributes that the client wants. */
export function presentResource(
  kind: ResourceKind,
  { id, resource, createdAt, modifiedAt, version }: StoredResource,
  links: LinkBase,
  selection: AttributeSelection = {},
): ScimResource {
  const meta = {
    resourceType: kind.name,
    created: createdAt,
    lastModified: modifiedAt,
    location: locationOf(kind, id, links),
    version: `"${version}"`,
  };
  return selectAttributes(kind, { schemas: [kind.schema], id: scimIdOf(kind, id), ...resource, meta }, selection);
}

/** The parts of an attribute that a list names; undefined for all. */
type Parts = ReadonlySet<string> | undefined;

function selectAttributes(
  kind: ResourceKind,
  shown: ScimResource,
  { attributes, excludedAttributes }: AttributeSelection,
): ScimResource {
  const wanted = attributes ? parseList(kind, attributes) : undefined;
  const excluded = excludedAttributes ? parseList(kind, excludedAttributes) : new Map<string, Parts>();
  const entries = Object.entries(shown).flatMap(([name, value]) => {
    const attribute = findAttributeOf(kind, name);
    if (attribute?.returned === 'always') return [[name, value] as const];
    if (wanted !== undefined) {
      if (!wanted.has(name)) return [];
      const parts = wanted.get(name);
      return [[name, parts === undefined ? value : filterParts(attribute, value, (part) => parts.has(part))] as const];
    }
    if (!excluded.has(name)) return [[name, value] as const];
    const parts = excluded.get(name);
    return parts === undefined ? [] : [[name, filterParts(attribute, value, (part) => !parts.has(part))] as const];
  });
  return Object.fromEntries(entries);
}

/** Reads a list of attributes, such as `userName,name.familyName`, into the names of attributes and their parts. */
function parseList(kind: ResourceKind, list: string): Map<string, Parts> {
  const names = list.split(',').flatMap((path) => {
    const [name = '', part] = (withoutSchema(kind, path.trim()) ?? '').split('.');
    const attribute = findAttributeOf(kind, name);
    return attribute === undefined ? [] : [{ attribute, part }];
  });
  const byName = Map.groupBy(names, ({ attribute }) => attribute.name);
  return new Map(
    [...byName].map(([name, all]) => {
      const parts = all.flatMap(({ attribute, part }) => partOf(attribute, part) ?? []);
      return [name, parts.length < all.length ? undefined : new Set(parts)];
    }),
  );
}

function partOf({ subAttributes = [] }: Attribute, part: string | undefined): string | undefined {
  return part === undefined ? undefined : (findAttribute(subAttributes, part)?.name ?? part);
}

function filterParts(attribute: Attribute | undefined, value: unknown, isWanted: (part: string) => boolean): unknown {
  if (attribute?.multiValued && Array.isArray(value)) {
    return value.map((single) => filterParts({ ...attribute, multiValued: undefined } as never, single, isWanted));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([part]) => isWanted(part)));
}
