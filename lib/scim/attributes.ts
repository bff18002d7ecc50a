/** An attribute of a resource, as SCIM describes it (RFC 7643, section 7). */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime' | 'integer';
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  /** `readWrite` by default. Values that clients send for a `readOnly` one are ignored. */
  readonly mutability?: 'readOnly' | 'immutable';
  readonly returned?: 'always';
  readonly uniqueness?: 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

/** A kind of resource: its name, its schema, and the attributes that are stored. Clients may send others, which are ignored. */
export interface ResourceKind {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A resource, or a part of one, with the names of attributes in their usual spelling. */
export type ScimResource = Readonly<Record<string, unknown>>;

/** The beginning of the names of SCIM's own schemas. */
export const coreSchemas = 'urn:ietf:params:scim:schemas:core:2.0:';

/** The attributes that each resource has without being in its schema. */
const commonAttributes: readonly Attribute[] = [
  { name: 'schemas', type: 'string', multiValued: true, mutability: 'readOnly', returned: 'always', description: '' },
  { name: 'id', type: 'string', mutability: 'readOnly', returned: 'always', caseExact: true, description: '' },
  { name: 'externalId', type: 'string', caseExact: true, description: 'The id in the directory.' },
  { name: 'meta', type: 'complex', mutability: 'readOnly', description: '' },
];

export const userKind: ResourceKind = {
  name: 'User',
  endpoint: '/Users',
  schema: `${coreSchemas}User`,
  description: 'A person who uses the service.',
  attributes: [
    {
      name: 'userName',
      type: 'string',
      required: true,
      uniqueness: 'server',
      description: 'The name with which the person signs in, usually an e-mail address.',
    },
    {
      name: 'name',
      type: 'complex',
      description: 'The parts of the name of the person.',
      subAttributes: [
        { name: 'formatted', type: 'string', description: 'The whole name.' },
        { name: 'familyName', type: 'string', description: 'The family name.' },
        { name: 'givenName', type: 'string', description: 'The given name.' },
      ],
    },
    { name: 'displayName', type: 'string', description: 'The name that other people see.' },
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      description: 'The e-mail addresses. The primary one, or else the first, is the address of the person here.',
      subAttributes: [
        { name: 'value', type: 'string', description: 'The address.' },
        { name: 'type', type: 'string', description: 'The use of the address, such as "work".' },
        { name: 'primary', type: 'boolean', description: 'True for at most one address.' },
      ],
    },
    {
      // It always has a value, so it cannot be removed. A new person without it is active.
      name: 'active',
      type: 'boolean',
      required: true,
      description: 'False ends the sessions and tokens of the person, who then cannot sign in.',
    },
  ],
};

export const groupKind: ResourceKind = {
  name: 'Group',
  endpoint: '/Groups',
  schema: `${coreSchemas}Group`,
  description: 'People who share roles.',
  attributes: [
    {
      name: 'displayName',
      type: 'string',
      required: true,
      uniqueness: 'server',
      description: 'The name of the group.',
    },
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      description: 'The people in the group.',
      subAttributes: [
        { name: 'value', type: 'string', caseExact: true, mutability: 'immutable', description: 'The id of a person.' },
        {
          name: '$ref',
          type: 'reference',
          referenceTypes: ['User'],
          mutability: 'immutable',
          description: 'The address of the person.',
        },
        {
          name: 'type',
          type: 'string',
          canonicalValues: ['User'],
          mutability: 'immutable',
          description: 'The kind of member, always "User".',
        },
      ],
    },
  ],
};

/** Finds an attribute by its name, in any case. */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === wanted);
}

/** Finds an attribute of a resource, including those that all kinds have. */
export function findAttributeOf({ attributes }: ResourceKind, name: string): Attribute | undefined {
  return findAttribute(attributes, name) ?? findAttribute(commonAttributes, name);
}

/**
 * Removes the schema of a kind from the name of an attribute, which may begin with it.
 * @returns undefined for the name of an attribute of another schema.
 */
export function withoutSchema({ schema }: ResourceKind, path: string): string | undefined {
  if (!/^urn:/i.test(path)) return path;
  if (path.toLowerCase() === schema.toLowerCase()) return '';
  return path.toLowerCase().startsWith(`${schema.toLowerCase()}:`) ? path.slice(schema.length + 1) : undefined;
}
