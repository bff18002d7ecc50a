import { parse } from 'valibot';
import { describe, expect, test } from 'vitest';
import { buildNewLife, enterStage } from '../../../lib/features/lifecycle/lifecycle.ts';
import { featureSearch } from '../../../lib/search/feature-search-schema.ts';
import { buildMatcher, isEqual } from '../../../lib/search/matcher.ts';
import { readModelFeature } from './read-model-feature.ts';

const tags = (...values: string[]) => values.map((value) => ({ type: 'simple', value }));
const noon = '2026-02-02T12:00:00.000Z';
const live = enterStage(buildNewLife(noon), { stage: 'live', enteredStageAt: noon });
const archived = enterStage(buildNewLife(noon), { stage: 'archived', enteredStageAt: noon });

const features = [
  readModelFeature('alpha', { type: 'experiment', description: 'The Beginning', tags: tags('red', 'blue') }),
  readModelFeature(
    'beta',
    { stale: true, tags: tags('blue'), createdBy: { id: 9, name: 'carol' }, createdAt: '2026-02-02T00:00:00.000Z' },
    { development: { segments: [1, 2] }, production: { enabled: true } },
  ),
  readModelFeature('gamma', { createdAt: '2026-02-03T00:00:00.000Z', ...live }, { development: { enabled: true } }),
  readModelFeature('omega', { archivedAt: noon, ...archived }, { development: { segments: [2] } }),
];

const lastSeen: Readonly<Record<string, string>> = {
  alpha: '2026-02-02T00:00:00.000Z',
  beta: '2026-02-01T23:59:59.999Z',
};
const facts: Parameters<typeof buildMatcher>[1] = {
  segmentIds: new Map([
    ['customers', 1],
    ['staff', 2],
    ['others', 3],
  ]),
  isFavorite: ({ feature }) => feature.name === 'beta',
  isOld: ({ feature }) => feature.name === 'alpha',
  lastSeenAt: ({ feature }) => lastSeen[feature.name] ?? null,
  hasEnvironment: (_feature, environment) => environment !== 'staging',
};

/** Returns the names of the features that a query finds. */
function found(query: Readonly<Record<string, string | readonly string[]>>): string {
  const search = parse(featureSearch, query);
  return features
    .filter(buildMatcher(search, facts))
    .map(({ feature }) => feature.name)
    .join(' ');
}

describe('A search', () => {
  test.each([
    [{}, 'alpha beta gamma'],
    // Texts in names, descriptions and tags of live features.
    [{ query: 'ALPH' }, 'alpha'],
    [{ query: 'beginning' }, 'alpha'],
    [{ query: 'simple:bl' }, 'alpha beta'],
    [{ query: ' alpha ,  gam ' }, 'alpha gamma'],
    [{ query: 'alpha,' }, 'alpha'],
    [{ query: 'omega' }, ''],
    [{ query: ' , ' }, 'alpha beta gamma'],
    // Single fields.
    [{ state: 'IS:stale' }, 'beta'],
    [{ state: 'IS:active' }, 'alpha gamma'],
    [{ state: 'IS:potentially-stale' }, 'alpha'],
    [{ state: 'IS_ANY_OF:potentially-stale,stale' }, 'alpha beta'],
    [{ state: 'IS:archived' }, 'omega'],
    [{ state: 'IS_ANY_OF:archived,stale' }, 'beta omega'],
    [{ state: 'IS:active', archived: 'IS:true' }, 'omega'],
    [{ type: 'IS:experiment' }, 'alpha'],
    [{ createdBy: 'IS_NONE_OF:7,8' }, 'beta'],
    [{ favorite: 'IS:true' }, 'beta'],
    [{ favorite: 'IS:false' }, 'alpha gamma'],
    // Archived features, if a filter includes them.
    [{ lifecycle: 'IS:live' }, 'gamma'],
    [{ lifecycle: 'IS:archived' }, 'omega'],
    [{ lifecycle: 'IS_NOT:archived' }, 'alpha beta gamma'],
    [{ archived: 'IS:true' }, 'omega'],
    [{ archived: 'IS:false' }, 'alpha beta gamma'],
    [{ archived: 'IS:false', lifecycle: 'IS:archived' }, ''],
    // Tags and segments.
    [{ tag: 'INCLUDE:simple:red' }, 'alpha'],
    [{ tag: 'INCLUDE_ANY_OF:simple:red,simple:blue' }, 'alpha beta'],
    [{ tag: 'INCLUDE_ALL_OF:simple:red,simple:blue' }, 'alpha'],
    [{ tag: 'DO_NOT_INCLUDE:simple:red' }, 'beta gamma'],
    [{ tag: 'EXCLUDE_IF_ANY_OF:simple:red, simple:blue' }, 'gamma'],
    [{ tag: 'EXCLUDE_ALL:simple:red,simple:blue' }, 'beta gamma'],
    [{ segment: 'INCLUDE_ALL_OF:customers,staff' }, 'beta'],
    [{ segment: 'INCLUDE_ALL_OF:customers,others' }, ''],
    [{ segment: 'DO_NOT_INCLUDE:staff' }, 'alpha gamma'],
    [{ segment: 'INCLUDE:staff', archived: 'IS:true' }, 'omega'],
    [{ segment: 'INCLUDE:unknown' }, ''],
    // Times. A day begins at midnight.
    [{ createdAt: 'IS_BEFORE:2026-02-02' }, 'alpha'],
    [{ createdAt: 'IS_ON_OR_AFTER:2026-02-02' }, 'beta gamma'],
    [{ lastSeenAt: 'IS_BEFORE:2026-02-02' }, 'beta'],
    [{ lastSeenAt: 'IS_ON_OR_AFTER:2026-02-02' }, 'alpha'],
    // Statuses, of which one must match. A feature without a state is off.
    [{ status: ['development:enabled'] }, 'gamma'],
    [{ status: ['development:disabled'] }, 'alpha beta'],
    [{ status: ['staging:disabled', 'staging:enabled'] }, ''],
    [{ status: ['development:enabled', 'production:enabled'] }, 'beta gamma'],
    // Several filters at once.
    [{ type: 'IS:release', state: 'IS:active' }, 'gamma'],
  ])('for %j finds "%s"', (query, names) => {
    expect(found(query)).toBe(names);
  });
});

test('The filter of projects has the same operators', () => {
  const isOneOf = { operator: 'IS_ANY_OF', values: ['shop', 'office'] };
  expect(['shop', 'office', 'default'].map((id) => isEqual(isOneOf, id))).toEqual([true, true, false]);
  expect(isEqual({ operator: 'IS_NOT', values: ['shop'] }, 'shop')).toBe(false);
  expect(isEqual(undefined, 'shop')).toBe(true);
});
