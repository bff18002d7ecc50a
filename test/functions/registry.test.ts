import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as registry from '../../functions/index.ts';
import { permissionsOf } from '../../lib/http/declaration.ts';
import { type Permission, permissions } from '../../lib/users/permissions.ts';

const operations = Object.entries(registry).map(([operationId, { declaration }]) => ({ operationId, ...declaration }));

/** The operations of the interface, in its order, and after them our own. */
const routes = {
  bulkToggleFeaturesEnvironmentOff: 'POST /api/admin/projects/{projectId}/bulk_features/environments/{environment}/off',
  addEnvironmentToProject: 'POST /api/admin/projects/{projectId}/environments',
  updateFeature: 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  validateProject: 'POST /api/admin/projects/validate',
  addFeatureStrategy:
    'POST /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/strategies',
  addDefaultStrategyToProjectEnvironment:
    'POST /api/admin/projects/{projectId}/environments/{environment}/default-strategy',
  setSamlSettings: 'POST /api/admin/auth/saml/settings',
  getEventsForToggle: 'GET /api/admin/events/{featureName}',
  getEnvironmentFeatureVariants:
    'GET /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  importToggles: 'POST /api/admin/features-batch/import',
  getArchivedFeaturesByProjectId: 'GET /api/admin/archive/features/{projectId}',
  getAllEnvironments: 'GET /api/admin/environments',
  getBaseUsersAndGroups: 'GET /api/admin/user-admin/access',
  deleteAddon: 'DELETE /api/admin/addons/{id}',
  addTag: 'POST /api/admin/features/{featureName}/tags',

  getSamlSettings: 'GET /api/admin/auth/saml/settings',
  getStartPage: 'GET /',
  getHealth: 'GET /health',
  getOpenApiDocument: 'GET /docs/openapi.json',
};

/** What a caller needs; several mean that one will do, or that the data decides which. The others take any valid token. */
const needed = {
  bulkToggleFeaturesEnvironmentOff: ['UPDATE_FEATURE_ENVIRONMENT'],
  addEnvironmentToProject: ['UPDATE_PROJECT'],
  updateFeature: ['UPDATE_FEATURE'],
  validateProject: ['CREATE_PROJECT'],
  addFeatureStrategy: ['CREATE_FEATURE_STRATEGY'],
  addDefaultStrategyToProjectEnvironment: ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'],
  setSamlSettings: ['ADMIN'],
  getSamlSettings: ['ADMIN'],
  deleteAddon: ['DELETE_ADDON'],
  addTag: ['UPDATE_FEATURE'],
  importToggles: [
    'UPDATE_FEATURE',
    'CREATE_FEATURE',
    'CREATE_FEATURE_STRATEGY',
    'DELETE_FEATURE_STRATEGY',
    'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    'CREATE_CONTEXT_FIELD',
    'CREATE_TAG_TYPE',
  ],
};

describe('the registry', () => {
  test('has every operation of the interface under its method and path, and nothing unexpected', () => {
    expect(
      Object.fromEntries(operations.map(({ operationId, method, path }) => [operationId, `${method} ${path}`])),
    ).toEqual(routes);
  });

  test('asks for the permission that belongs to the operation', () => {
    const asked = operations.flatMap(({ operationId, permission }) =>
      permission === undefined ? [] : [[operationId, [permission].flat()]],
    );
    expect(Object.fromEntries(asked)).toEqual(needed);
  });

  test('has one line per endpoint, which names the file that it is in', () => {
    const lines = readFileSync('functions/index.ts', 'utf8').matchAll(/^export \{ handler as (\w+) \} from '(.+)';$/gm);
    const named = [...lines].map(([, name, file = '']) => [name, basename(file, '.ts')]);
    expect(named.map(([name]) => name).toSorted()).toEqual(Object.keys(registry).toSorted());
    for (const [name, file] of named) expect(file).toBe(name);
  });

  test('leaves no endpoint out that has a file', () => {
    const files = globSync('functions/*/*.ts').map((file) => basename(file, '.ts'));
    // It answers what no endpoint takes, and has neither a method nor a path.
    expect(files.filter((file) => file !== 'notFound').toSorted()).toEqual(Object.keys(registry).toSorted());
  });

  test('gives every path and method to one endpoint, whatever its variables are called', () => {
    const shapes = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(shapes.toSorted()).toEqual([...new Set(shapes)].toSorted());
  });

  test('calls the variable at one place of a path the same in all paths', () => {
    const names = new Map<string, string>();
    for (const { path } of operations) {
      const segments = path.split('/');
      for (const [index, segment] of segments.entries()) {
        if (!segment.startsWith('{')) continue;
        const place = segments
          .slice(0, index)
          .join('/')
          .replaceAll(/\{\w+\}/g, '{}');
        expect(segment, `the variable after ${place}`).toBe(names.get(place) ?? segment);
        names.set(place, segment);
      }
    }
  });
});

describe.each(operations)('$operationId', (operation) => {
  const { method, path, summary, group, permission, authorizedBy, responses, body, errors = [] } = operation;

  test('says in a sentence what it does, and under which heading', () => {
    expect(summary).toMatch(/^[A-Z].+\.$/);
    expect(group).toMatch(/^[A-Z]\w+$/);
  });

  test('asks for permissions that exist', () => {
    for (const each of permissionsOf(operation)) expect(permissions).toContain(each satisfies Permission);
    if (authorizedBy !== undefined) expect(permission).toBeDefined();
  });

  test('is below /api/admin and asks for a token, or is said to be public', () => {
    expect(path.startsWith('/api/admin/')).toBe(operation.audience !== 'public');
    if (operation.audience === 'public') expect(permission).toBeUndefined();
  });

  test('changes nothing without a permission', () => {
    if (method !== 'GET') expect(permission).toBeDefined();
  });

  test('declares one successful answer, and errors that it alone can decide', () => {
    const statuses = Object.keys(responses).map(Number);
    expect(statuses.filter((status) => status !== 304)).toHaveLength(1);
    for (const status of statuses) expect(status).toBeOneOf([200, 201, 202, 204, ...(method === 'GET' ? [304] : [])]);
    for (const status of [204, 304] as const) expect(responses[status] ?? null).toBeNull();
    for (const status of errors) expect(status).toBeOneOf([400, 401, 403, 404, 409]);
    expect(new Set(errors).size).toBe(errors.length);
    if (method === 'GET' || method === 'DELETE') expect(body).toBeUndefined();
  });
});
