import { describe, expect, test } from 'vitest';
import type { FeatureEnvironment } from '../../../lib/features/feature.ts';
import { type Permission, rightsOf } from '../../../lib/identity/permissions.ts';
import type { ExportData } from '../../../lib/imports/import-data-schema.ts';
import { assertMayImport, missingPermissions } from '../../../lib/imports/import-permissions.ts';
import type { ImportReferences } from '../../../lib/imports/import-references.ts';
import { featureHead } from '../features/stored-feature.ts';
import { emptyFile } from './empty-file.ts';

const member = { id: 1, name: 'alice', belongsTo: () => true, rights: rightsOf([], []) };
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

/** Lists the permissions that an import into `development` asks for, in order. */
function asked(data: object, known = references(), isAsking = false): Permission[] {
  const permissions: Permission[] = [];
  const caller = {
    may(permission: Permission, project?: string, environment?: string) {
      expect([project, environment]).toEqual(['shop', 'development']);
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

describe('An import asks', () => {
  test('for nothing in particular where it brings nothing, or only what is there', () => {
    expect(asked({})).toEqual([]);
    expect(
      asked({
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
  ])('for %s, and nothing else, where one thing among others needs it', (permission, data) => {
    expect(asked(data)).toEqual([permission]);
  });

  test('for DELETE_FEATURE_STRATEGY where a feature has strategies in the target that it would replace', () => {
    expect(asked({}, withStrategies)).toEqual(['DELETE_FEATURE_STRATEGY']);
    expect(asked({}, references([['production', { strategies: [stored as never] }]]))).toEqual([]);
    expect(asked({}, references([['development', {}]]))).toEqual([]);
  });

  test('for UPDATE_FEATURE_ENVIRONMENT where it switches a feature, which gets a strategy where it is on', () => {
    const on = { features: [{ name: 'old' }], featureEnvironments: [{ name: 'old', enabled: true }] };
    const off = { ...on, featureEnvironments: [{ name: 'old', enabled: false }] };
    expect(asked(on)).toEqual(['UPDATE_FEATURE_ENVIRONMENT', 'CREATE_FEATURE_STRATEGY']);
    expect(asked(on, references([['development', {}]]))).toEqual(['CREATE_FEATURE_STRATEGY']);
    expect(asked(off, references([['development', {}]]))).toEqual(['UPDATE_FEATURE_ENVIRONMENT']);
    expect(asked(off)).toEqual([]);
  });

  test('for neither DELETE_FEATURE nor UPDATE_FEATURE_DEPENDENCY where it archives and adds nothing', () => {
    expect(asked({ features: [{ name: 'new', archived: true }] })).toEqual(['CREATE_FEATURE']);
    expect(asked({ dependencies: [{ feature: 'old', dependencies: [] }] })).toEqual([]);
  });

  test('for the right to create a feature, and not for what others have to approve, where it only asks for that', () => {
    const file = {
      features: [{ name: 'old', archived: true }, { name: 'new' }],
      featureEnvironments: [{ name: 'old', enabled: true, variants: [{ name: 'v' }] }],
      dependencies: [{ feature: 'old', dependencies: [{ feature: 'untouched' }] }],
    };
    expect(asked(file, withStrategies, true)).toEqual(['CREATE_FEATURE']);
  });

  test('for UPDATE_FEATURE_ENVIRONMENT_VARIANTS where it takes variants away', () => {
    const file = { features: [{ name: 'old' }], featureEnvironments: [{ name: 'old', enabled: false, variants: [] }] };
    expect(asked(file, references([['development', { enabled: false, variants: [{ name: 'v' } as never] }]]))).toEqual([
      'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    ]);
  });

  test('for what a caller can be told that they lack, the right to update features included', () => {
    const data = { ...emptyFile, features: [{ name: 'new' }], tagTypes: [{ name: 'team' }] } as ExportData;
    const asks: unknown[] = [];
    const callerWith = (...held: Permission[]) => ({
      ...member,
      may: (permission: Permission, ...place: unknown[]) => {
        asks.push(place);
        return held.includes(permission);
      },
    });
    const missing = (...held: Permission[]) => missingPermissions(callerWith(...held), data, references(), false);
    expect(missing()).toEqual(['UPDATE_FEATURE', 'CREATE_FEATURE', 'CREATE_TAG_TYPE']);
    expect(missing('CREATE_FEATURE')).toEqual(['UPDATE_FEATURE', 'CREATE_TAG_TYPE']);
    expect(missing('UPDATE_FEATURE', 'CREATE_FEATURE', 'CREATE_TAG_TYPE')).toEqual([]);
    expect(new Set(asks.map(String))).toEqual(new Set(['shop,development']));
  });
});
