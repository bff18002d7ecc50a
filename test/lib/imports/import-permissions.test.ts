import { describe, expect, test } from 'vitest';
import type { FeatureEnvironment } from '../../../lib/features/environments/feature-environment.ts';
import { buildRights, type Permission } from '../../../lib/identity/permissions.ts';
import type { ExportData } from '../../../lib/imports/import-data-schema.ts';
import { assertMayImport, listMissingPermissions } from '../../../lib/imports/import-permissions.ts';
import type { ImportReferences } from '../../../lib/imports/import-references.ts';
import { featureHead } from '../features/stored-feature.ts';
import { emptyFile } from './empty-file.ts';

const member = { id: 1, name: 'alice', belongsTo: () => true, rights: buildRights([], []) };
const strategy = { name: 'default', featureName: 'old', constraints: [] };
function references(environments: [string, Partial<FeatureEnvironment>][] = []): ImportReferences {
  const states = environments.map(([name, state]) => [name, { enabled: true, strategies: [], variants: [], ...state }]);
  const stored = featureHead({ name: 'old', environments: new Map(states as [string, FeatureEnvironment][]) });
  return {
    project: { id: 'shop' },
    environment: 'development',
    features: new Map([
      ['untouched', featureHead()],
      ['old', stored],
    ]),
    contextFields: new Map([['country', {}]]),
    tagTypes: new Set(['simple']),
  } as unknown as ImportReferences;
}

/** Lists the permissions that an import into `development` needs, in order. */
function needed(data: object, known = references(), isAsking = false): Permission[] {
  const permissions: Permission[] = [];
  const caller = {
    may(permission: Permission, project?: string, environment?: string) {
      const isOfEnvironment = /_FEATURE_(STRATEGY|ENVIRONMENT)/.test(permission);
      expect([project, environment]).toEqual(['shop', isOfEnvironment ? 'development' : undefined]);
      permissions.push(permission);
      return true;
    },
    ...member,
  };
  assertMayImport(caller, { ...emptyFile, ...data }, known, isAsking);
  return permissions;
}

const stored = { ...strategy, id: '1' };
const withStrategies = references([['development', { strategies: [stored as never] }]]);

describe('An import needs', () => {
  test('no further permission if it is empty or only has existing things', () => {
    expect(needed({})).toEqual([]);
    expect(
      needed({
        features: [{ name: 'old' }, { name: 'untouched' }],
        featureEnvironments: [
          { name: 'old', enabled: false },
          { name: 'untouched', enabled: false, variants: [] },
        ],
        contextFields: [{ name: 'country' }],
        tagTypes: [{ name: 'simple' }],
      }),
    ).toEqual([]);
  });

  test.each<[Permission, object]>([
    ['CREATE_FEATURE', { features: [{ name: 'old' }, { name: 'new' }] }],
    ['CREATE_FEATURE_STRATEGY', { featureStrategies: [strategy] }],
    [
      'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
      {
        features: [{ name: 'untouched' }, { name: 'old' }],
        featureEnvironments: [
          { name: 'untouched', enabled: false },
          { name: 'old', enabled: false, variants: [{ name: 'v' }] },
        ],
      },
    ],
    ['DELETE_FEATURE', { features: [{ name: 'untouched' }, { name: 'old', archived: true }] }],
    ['UPDATE_FEATURE_DEPENDENCY', { dependencies: [{ feature: 'old', dependencies: [{ feature: 'untouched' }] }] }],
    ['CREATE_CONTEXT_FIELD', { contextFields: [{ name: 'country' }, { name: 'city' }] }],
    ['CREATE_TAG_TYPE', { tagTypes: [{ name: 'simple' }, { name: 'team' }] }],
  ])('only %s if one of its things needs it', (permission, data) => {
    expect(needed(data)).toEqual([permission]);
  });

  test('DELETE_FEATURE_STRATEGY if it replaces strategies of a feature', () => {
    expect(needed({}, withStrategies)).toEqual(['DELETE_FEATURE_STRATEGY']);
    expect(needed({}, references([['production', { strategies: [stored as never] }]]))).toEqual([]);
    expect(needed({}, references([['development', {}]]))).toEqual([]);
  });

  test('UPDATE_FEATURE_ENVIRONMENT if it switches a feature, and CREATE_FEATURE_STRATEGY if that is then on', () => {
    const on = { features: [{ name: 'old' }], featureEnvironments: [{ name: 'old', enabled: true }] };
    const off = { ...on, featureEnvironments: [{ name: 'old', enabled: false }] };
    expect(needed(on)).toEqual(['UPDATE_FEATURE_ENVIRONMENT', 'CREATE_FEATURE_STRATEGY']);
    expect(needed(on, references([['development', {}]]))).toEqual(['CREATE_FEATURE_STRATEGY']);
    expect(needed(off, references([['development', {}]]))).toEqual(['UPDATE_FEATURE_ENVIRONMENT']);
    expect(needed(off)).toEqual([]);
  });

  test('neither DELETE_FEATURE for a new archived feature nor UPDATE_FEATURE_DEPENDENCY for an empty list', () => {
    expect(needed({ features: [{ name: 'new', archived: true }] })).toEqual(['CREATE_FEATURE']);
    expect(needed({ dependencies: [{ feature: 'old', dependencies: [] }] })).toEqual([]);
  });

  test('no permission for the changes that it only requests', () => {
    const file = {
      features: [{ name: 'old', archived: true }, { name: 'new' }],
      featureEnvironments: [{ name: 'old', enabled: true, variants: [{ name: 'v' }] }],
      dependencies: [{ feature: 'old', dependencies: [{ feature: 'untouched' }] }],
    };
    expect(needed(file, withStrategies, true)).toEqual(['CREATE_FEATURE']);
  });

  test('UPDATE_FEATURE_ENVIRONMENT_VARIANTS if it removes variants', () => {
    const file = { features: [{ name: 'old' }], featureEnvironments: [{ name: 'old', enabled: false, variants: [] }] };
    expect(needed(file, references([['development', { enabled: false, variants: [{ name: 'v' } as never] }]]))).toEqual(
      ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS'],
    );
  });

  test('permissions that its validation lists if they are missing, also UPDATE_FEATURE', () => {
    const data = { ...emptyFile, features: [{ name: 'new' }], tagTypes: [{ name: 'team' }] } as ExportData;
    const asks: unknown[] = [];
    const callerWith = (...held: Permission[]) => ({
      ...member,
      may: (permission: Permission, ...place: unknown[]) => {
        asks.push(place);
        return held.includes(permission);
      },
    });
    const missing = (...held: Permission[]) => listMissingPermissions(callerWith(...held), data, references(), false);
    expect(missing()).toEqual(['UPDATE_FEATURE', 'CREATE_FEATURE', 'CREATE_TAG_TYPE']);
    expect(missing('CREATE_FEATURE')).toEqual(['UPDATE_FEATURE', 'CREATE_TAG_TYPE']);
    expect(missing('UPDATE_FEATURE', 'CREATE_FEATURE', 'CREATE_TAG_TYPE')).toEqual([]);
    expect(new Set(asks.map(String))).toEqual(new Set(['shop,development']));
  });

  test('permissions whose absence one error lists in full', () => {
    const data = {
      ...emptyFile,
      features: [{ name: 'new' }],
      featureStrategies: [strategy],
      tagTypes: [{ name: 'team' }],
    } as ExportData;
    const caller = { ...member, may: (permission: Permission) => permission === 'CREATE_TAG_TYPE' };
    expect(() => assertMayImport(caller, data, references(), false)).toThrow(
      'You need the permissions "CREATE_FEATURE" and "CREATE_FEATURE_STRATEGY" in the environment "development" to do this.',
    );
  });
});
