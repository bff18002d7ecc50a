import { notFound } from '../errors.ts';
import {
  type Attribute,
  coreSchemas,
  groupKind,
  type ResourceKind,
  type ScimResource,
  userKind,
} from './attributes.ts';
import { countMax } from './list-resources.ts';
import type { LinkBase } from './present.ts';

const kinds = [userKind, groupKind];

/** Returns the description of what the service supports (RFC 7643, section 5). */
export function describeService(links: LinkBase): ScimResource {
  return {
    schemas: [`${coreSchemas}ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: countMax },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The SCIM token, which an administrator of the service makes.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: metaOf('ServiceProviderConfig', '/ServiceProviderConfig', links),
  };
}

/** Lists the kinds of resources (RFC 7643, section 6). */
export function listKinds(links: LinkBase): ScimResource[] {
  return kinds.map(({ name, endpoint, description, schema }) => ({
    schemas: [`${coreSchemas}ResourceType`],
    ...{ id: name, name, endpoint, description, schema },
    meta: metaOf('ResourceType', `/ResourceTypes/${name}`, links),
  }));
}

/** @throws ApiError 404 for an unknown kind. */
export function describeKind(id: string, links: LinkBase): ScimResource {
  return findById(listKinds(links), 'resource type', id);
}

/** Lists the schemas of all resources, and those of the descriptions (RFC 7643, section 7). */
export function listSchemas(links: LinkBase): ScimResource[] {
  return [...kinds, ...descriptionSchemas].map(({ name, schema: id, description, attributes }) => ({
    schemas: [`${coreSchemas}Schema`],
    ...{ id, name, description, attributes: attributes.map(describeAttribute) },
    meta: metaOf('Schema', `/Schemas/${id}`, links),
  }));
}

/** @throws ApiError 404 for an unknown schema. */
export function describeSchema(id: string, links: LinkBase): ScimResource {
  return findById(listSchemas(links), 'schema', id);
}

function findById(all: readonly ScimResource[], kind: string, id: string): ScimResource {
  const found = all.find((description) => description.id === id);
  if (found === undefined) throw notFound(kind, id);
  return found;
}

function metaOf(resourceType: string, path: string, { origin = '' }: LinkBase) {
  return { resourceType, location: `${origin}/scim${path}` };
}

function describeAttribute(attribute: Attribute): ScimResource {
  const { name, type, description, multiValued = false, required = false, caseExact = false } = attribute;
  const { mutability = 'readWrite', returned = 'default', uniqueness = 'none' } = attribute;
  const { canonicalValues, referenceTypes, subAttributes } = attribute;
  return {
    ...{ name, type, multiValued, description, required, caseExact, mutability, returned, uniqueness },
    ...(canonicalValues && { canonicalValues }),
    ...(referenceTypes && { referenceTypes }),
    ...(subAttributes && { subAttributes: subAttributes.map(describeAttribute) }),
  };
}

const describeReadOnly = (
  name: string,
  type: Attribute['type'],
  more: Pick<Attribute, 'multiValued' | 'subAttributes'> = {},
): Attribute => ({ name, type, mutability: 'readOnly', description: '', ...more });

const supported = describeReadOnly('supported', 'boolean');

const attributeParts = [
  describeReadOnly('name', 'string'),
  describeReadOnly('type', 'string'),
  describeReadOnly('multiValued', 'boolean'),
  describeReadOnly('description', 'string'),
  describeReadOnly('required', 'boolean'),
  describeReadOnly('canonicalValues', 'string', { multiValued: true }),
  describeReadOnly('caseExact', 'boolean'),
  describeReadOnly('mutability', 'string'),
  describeReadOnly('returned', 'string'),
  describeReadOnly('uniqueness', 'string'),
  describeReadOnly('referenceTypes', 'string', { multiValued: true }),
];

/** The schemas of the descriptions themselves. */
const descriptionSchemas: readonly (Pick<ResourceKind, 'schema' | 'description' | 'attributes'> & {
  readonly name: string;
})[] = [
  {
    name: 'ServiceProviderConfig',
    schema: `${coreSchemas}ServiceProviderConfig`,
    description: 'The features of SCIM that the service supports.',
    attributes: [
      describeReadOnly('patch', 'complex', { subAttributes: [supported] }),
      describeReadOnly('bulk', 'complex', {
        subAttributes: [
          supported,
          describeReadOnly('maxOperations', 'integer'),
          describeReadOnly('maxPayloadSize', 'integer'),
        ],
      }),
      describeReadOnly('filter', 'complex', { subAttributes: [supported, describeReadOnly('maxResults', 'integer')] }),
      describeReadOnly('changePassword', 'complex', { subAttributes: [supported] }),
      describeReadOnly('sort', 'complex', { subAttributes: [supported] }),
      describeReadOnly('etag', 'complex', { subAttributes: [supported] }),
      describeReadOnly('authenticationSchemes', 'complex', {
        multiValued: true,
        subAttributes: ['type', 'name', 'description'].map((name) => describeReadOnly(name, 'string')),
      }),
    ],
  },
  {
    name: 'ResourceType',
    schema: `${coreSchemas}ResourceType`,
    description: 'A kind of resource.',
    attributes: ['id', 'name', 'description', 'endpoint', 'schema'].map((name) => describeReadOnly(name, 'string')),
  },
  {
    name: 'Schema',
    schema: `${coreSchemas}Schema`,
    description: 'A schema, with its attributes.',
    attributes: [
      describeReadOnly('id', 'string'),
      describeReadOnly('name', 'string'),
      describeReadOnly('description', 'string'),
      describeReadOnly('attributes', 'complex', {
        multiValued: true,
        subAttributes: [
          ...attributeParts,
          describeReadOnly('subAttributes', 'complex', { multiValued: true, subAttributes: attributeParts }),
        ],
      }),
    ],
  },
];
