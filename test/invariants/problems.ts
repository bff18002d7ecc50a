import { AssertionError, deepEqual, equal, ok } from 'node:assert/strict';
import * as projectKeys from '../../lib/projects/keys.ts';
import { segments, segmentsRevisionKey } from '../../lib/segments/segments.ts';
import { strategyTypes } from '../../lib/strategy-types/strategy-types.ts';
import { eventsIn, type Item, isEvents } from '../harness/items.ts';
import { dangling } from './dangling.ts';
import { isProject } from './namings.ts';
import { clockListProblems } from './plans.ts';
import { readModelProblems } from './read-models.ts';
import { pointerProblems, referenceProblems } from './references.ts';
import { scheduleProblems } from './schedules.ts';
import { assertFeature, type FeatureInItems, storedFeatures } from './stored-feature.ts';

/**
 * Lists the contradictions in a table: between state and events, counts and the things counted, the archive and the
 * archived, features and the read models of their projects, schedules and their marks, plans and the lists of the clock, parents and their children, members and their groups, names and the
 * things that they name. There must be none at any moment, whatever was cut off.
 */
export function problemsOf(items: readonly Item[]): string[] {
  const features = storedFeatures(items);
  const ofFeatures = [...features.values()].flatMap((feature) =>
    found(`feature ${feature.name}`, () => assertFeature(feature)),
  );
  return [
    ...ofFeatures,
    ...found('event ids', () => assertEventIds(items)),
    ...found('counts', () => assertCounts(items, features)),
    ...found('archive', () => assertArchive(items, features)),
    ...readModelProblems(items),
    ...found('parents and children', () => assertChildren(items, features)),
    ...dangling(items),
    ...referenceProblems(items, {
      segment: (id) => segments.keyOf(Number(id)),
      'strategy type': strategyTypes.keyOf,
    }),
    ...segmentNameProblems(items),
    ...scheduleProblems(items, features),
    ...clockListProblems(items, features),
    ...projectListProblems(items),
  ];
}

function found(what: string, check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    const { message, actual, expected } = error;
    return [`${what}: ${message.split('\n')[0]}; found ${brief(actual)}, not ${brief(expected)}`];
  }
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 400);
}

type Features = ReadonlyMap<string, FeatureInItems>;

/** Asserts that no event has another one's id, and none an id that was not given out. */
function assertEventIds(items: readonly Item[]): void {
  const ids = items.filter(({ pk }) => isEvents(pk)).flatMap((item) => eventsIn(item).map(({ id }) => id));
  equal(new Set(ids).size, ids.length, 'two events have the same id');
  const counter = items.find(({ pk }) => pk === 'COUNTER#event');
  // A large store has more events than a call may have arguments.
  const last = ids.reduce((most, id) => Math.max(most, id), 0);
  ok(last <= Number(counter?.value ?? 0), 'an event has an id that was not given out');
}

function assertCounts(items: readonly Item[], features: Features): void {
  const counted = new Map<string, number>();
  const add = (name: string, amount: number) => counted.set(name, (counted.get(name) ?? 0) + amount);
  for (const { environments } of features.values()) {
    for (const [name, state] of environments) if (state.enabled) add(`enabledToggleCount:${name}`, 1);
  }
  for (const project of items.filter(isProject)) {
    for (const { name } of JSON.parse(project.environments as string)) add(`projectCount:${name}`, 1);
  }
  for (const { environment } of items.filter(({ pk }) => pk.startsWith('TOKENS#'))) {
    if (environment !== undefined) add(`apiTokenCount:${environment}`, 1);
  }
  const kept = new Map<string, number>();
  for (const { pk: _pk, sk: _sk, ...amounts } of items.filter(isCounts)) {
    for (const [name, amount] of Object.entries(amounts)) kept.set(name, (kept.get(name) ?? 0) + Number(amount));
  }
  deepEqual(inOrder(kept), inOrder(counted), 'they are not what features, projects and tokens say');
}

const isCounts = ({ pk, sk }: Item) => pk === 'ENVIRONMENTS' && sk.startsWith('COUNTS#');

function inOrder(counts: ReadonlyMap<string, number>): Record<string, number> {
  const kept = [...counts].filter(([, amount]) => amount !== 0);
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function assertArchive(items: readonly Item[], features: Features): void {
  const listed = items
    .filter(({ pk }) => pk.endsWith('#ARCHIVE'))
    .map(({ pk, sk, feature }) => {
      const { lifecycle, tags, project, archivedAt, name } = JSON.parse(feature as string);
      return { pk, sk, place: `PROJECT#${project}#ARCHIVE ${archivedAt}#${name}`, lifecycle, tags };
    });
  for (const { pk, sk, place } of listed) equal(`${pk} ${sk}`, place, 'an entry is in another place than it says');
  const archived = [...features.values()].filter(({ fields }) => fields.archivedAt !== null);
  const expected = archived.map(({ name, fields: { project, archivedAt }, lifecycle, tags }) => ({
    place: `PROJECT#${project}#ARCHIVE ${archivedAt}#${name}`,
    lifecycle,
    tags,
  }));
  const byPlace = (a: { place: string }, b: { place: string }) => (a.place < b.place ? -1 : 1);
  deepEqual(
    listed.map(({ place, lifecycle, tags }) => ({ place, lifecycle, tags })).toSorted(byPlace),
    expected.toSorted(byPlace),
    'it does not list the archived features',
  );
}

function assertChildren(items: readonly Item[], features: Features): void {
  const known = items
    .filter(({ pk, sk }) => pk.startsWith('FEATURE#') && sk.startsWith('CHILD#'))
    .map(({ pk, sk }) => `${pk.slice('FEATURE#'.length)} ${sk.slice('CHILD#'.length)}`);
  const meant = [...features.values()].flatMap(({ name, dependencies }) =>
    dependencies.map(({ feature }) => ({ parent: String(feature), child: name })),
  );
  deepEqual(known.toSorted(), meant.map(({ parent, child }) => `${parent} ${child}`).toSorted(), 'they do not agree');
  for (const { parent } of meant) ok(features.has(parent), `the parent ${parent} does not exist`);
  for (const { name, fields } of features.values()) {
    const count = meant.filter(({ parent }) => parent === name).length;
    deepEqual(fields.childCount ?? 0, count, `${name} counts other children`);
  }
}

function projectListProblems(items: readonly Item[]): string[] {
  const projects = items.filter(isProject);
  return pointerProblems(
    items.filter(({ pk }) => pk === 'PROJECTS'),
    projects.map(({ id }) => ({ id: String(id), pointers: [projectKeys.projectInList(String(id))] })),
  );
}

function segmentNameProblems(items: readonly Item[]): string[] {
  const ofSegments = items.filter(({ pk, sk }) => pk === 'SEGMENTS' && sk !== segmentsRevisionKey().sk);
  const isPointer = ({ sk }: Item) => sk.startsWith('NAME#');
  const segments = ofSegments.filter((item) => !isPointer(item));
  return pointerProblems(
    ofSegments.filter(isPointer),
    segments.map(({ id, name }) => ({ id: Number(id), pointers: [{ pk: 'SEGMENTS', sk: `NAME#${name}` }] })),
  );
}
