import { expect } from 'vitest';
import type { Event } from '../../lib/events/event-schema.ts';
import { createToken } from '../../lib/identity/tokens/tokens.ts';
import { readSeed } from '../../lib/imports/seed/seed-data.ts';
import { ensureUser, type UserRequest } from '../../lib/people/ensure-user.ts';
import { importBody, importPath } from './import-file.ts';
import { paths } from './paths.ts';
import type { Reply, Service } from './service.ts';

export { paths } from './paths.ts';

/** A second project with an environment of its own, and what strategies and tags can name. */
export const shopSeed = readSeed({
  environments: [{ name: 'staging', type: 'preproduction', sortOrder: 4 }],
  projects: [{ id: 'shop', defaultStickiness: 'userId', environments: ['development', 'staging'] }],
  contextFields: [{ name: 'country', legalValues: [{ value: 'CH' }, { value: 'NZ' }, { value: '7' }] }],
  tagTypes: [{ name: 'team' }, { name: 'Team' }],
  strategies: [{ name: 'storeHours' }],
  segments: [
    ...[1, 2, 3, 4, 5, 6].map((id) => ({ id, name: `segment-${id}` })),
    { id: 7, name: 'shop-only', project: 'shop' },
  ],
  users: [
    { username: 'alice', email: 'alice@example.com', rootRole: 'Editor' },
    { username: 'bob', rootRole: 'Editor' },
  ],
});

const strangeNames = [
  'unknown',
  ' ',
  '\0',
  '__proto__',
  'x#EVENTS',
  '😀',
  'n'.repeat(101),
  // A message that quotes the first hundred characters would cut one in half.
  `n${'😀'.repeat(60)}`,
];

/** Names that nothing bears, among them those that a careless service would stumble over, with titles for tests. */
export const unknownNames = strangeNames.map(
  (name) => [name.length > 40 ? `${name.slice(0, 9)}… of ${name.length}` : name, name] as const,
);

interface Place {
  readonly project?: string;
  readonly environment?: string;
}

/** Imports the given parts of a file. */
export async function importFileParts(service: Service, parts: object, place?: Place) {
  expect(await service.post(importPath, importBody(parts, place))).toMatchObject({ status: 200 });
}

/** Adds features that are off and have nothing but their names. */
export function addFeatures(service: Service, names: readonly string[], place?: Place) {
  return importFileParts(service, { features: names.map((name) => ({ name })) }, place);
}

/** Some of many that are alike, those at both ends among them. */
export function someOf<T>(list: readonly T[], amount = 6): T[] {
  if (list.length <= amount) return [...list];
  return Array.from(
    { length: amount },
    (_, index) => list[Math.round((index * (list.length - 1)) / (amount - 1))] as T,
  );
}

/** Adds features that are on, each with one strategy. */
export function addFeaturesOn(service: Service, names: readonly string[], place?: Place) {
  const featureEnvironments = names.map((featureName) => ({ featureName, name: 'any', enabled: true }));
  return importFileParts(service, { features: names.map((name) => ({ name })), featureEnvironments }, place);
}

/** The complete feature, as an update that changes nothing answers it. */
export async function readFeature(service: Service, name: string, project?: string): Promise<Reply['body']> {
  const answer = await service.put(paths.feature(name, project));
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

/** Reads the state of a feature in one environment. */
export async function readState(service: Service, name: string, environment = 'development', project?: string) {
  const { environments } = await readFeature(service, name, project);
  return environments.find((each: { name: string }) => each.name === environment);
}

/** All events of a feature, oldest first, held against what is true of every such list. */
export async function featureEventsOf(service: Service, name: string): Promise<Event[]> {
  const { status, body } = await service.get(paths.events(name));
  expect(status).toBe(200);
  const events: Event[] = body.events.toReversed();
  expect(body).toMatchObject({ version: 1, toggleName: name, totalEvents: events.length });
  for (const [index, event] of events.entries()) {
    expect(event.featureName).toBe(name);
    expect(event.id).toBeGreaterThan(events[index - 1]?.id ?? 0);
  }
  expectChain(events);
  return events;
}

/** Expects the metadata events to form a chain: each begins where the one before it ended. */
function expectChain(events: readonly Event[]) {
  const changes = events.filter(({ type }) => ['feature-created', 'feature-metadata-updated'].includes(type));
  for (const [index, event] of changes.entries()) expect(event.preData).toEqual(changes[index - 1]?.data ?? null);
}

export async function eventTypesOf(service: Service, name: string): Promise<string[]> {
  return (await featureEventsOf(service, name)).map(({ type }) => type);
}

/** Returns the events that a call adds to a feature, oldest first. */
export async function eventsAddedBy(service: Service, name: string, call: () => Promise<unknown>): Promise<Event[]> {
  const before = await featureEventsOf(service, name);
  await call();
  const after = await featureEventsOf(service, name);
  expect(after.slice(0, before.length)).toEqual(before);
  return after.slice(before.length);
}

/** Reads the number of features that are on, by environment, from the list of environments. */
export async function enabledCounts(service: Service): Promise<Record<string, number>> {
  const { body } = await service.get('/api/admin/environments');
  return Object.fromEntries(
    body.environments.map((each: { name: string; enabledToggleCount: number }) => [each.name, each.enabledToggleCount]),
  );
}

/** A new token that may only propose changes, of a user with these roles, who is created if new. */
export async function newAgentOf(service: Service, request: UserRequest, description = 'helper'): Promise<string> {
  const user = await ensureUser(service.table, request);
  return (await createToken(service.table, { kind: 'agent', user, description })).secret;
}

/** A new token of a user with these roles, who is created if new. */
export async function newTokenOf(service: Service, request: UserRequest): Promise<string> {
  const user = await ensureUser(service.table, request);
  const { secret } = await createToken(service.table, { kind: 'user', user });
  return secret;
}

/** The places that a refusal names, each once, sorted. */
export function problemPaths({ status, body }: Reply): string[] {
  expect(status).toBe(400);
  return [...new Set<string>(body.details.map(({ path }: { path?: string }) => path ?? ''))].toSorted();
}

/** The names of archived features, page by page from a target on. */
export async function archivePages(service: Service, from: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let target: string | undefined = from; target !== undefined; ) {
    const { body, headers }: Reply = await service.get(target);
    pages.push(body.features.map(({ name }: { name: string }) => name));
    target = /^<(.*)>; rel="next"$/.exec(headers.link ?? '')?.[1];
  }
  return pages;
}

/** Counts the occurrences of each value. */
export function frequencies(values: readonly (string | number)[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(values, String)].map(([value, same]) => [value, same.length]));
}
