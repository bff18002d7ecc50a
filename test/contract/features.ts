import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { importBody, importPath } from '../harness/import-file.ts';
import { paths } from '../harness/paths.ts';
import { bodyOf, type Client, expectDone } from './client.ts';

interface StrategyReply {
  readonly id: string;
  readonly name: string;
  readonly sortOrder: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** State of a feature in one environment. */
export interface StateReply {
  readonly name: string;
  readonly enabled: boolean;
  readonly strategies: readonly StrategyReply[];
  readonly variants: readonly unknown[];
}

export interface FeatureReply {
  readonly name: string;
  readonly environments: readonly StateReply[];
  readonly [field: string]: unknown;
}

export interface FeatureEvent {
  readonly id: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface EventList {
  readonly events: readonly FeatureEvent[];
  readonly totalEvents: number;
}

/** A name that nothing bears yet, whatever the store holds. */
export function uniqueName(kind = 'feature'): string {
  return `${kind}-${randomBytes(6).toString('hex')}`;
}

/** Makes a feature that is off, or on where it is asked for, and answers its name. */
export async function makeFeature(client: Client, { enabled = false } = {}): Promise<string> {
  const name = uniqueName();
  const featureEnvironments = enabled ? [{ featureName: name, name: 'development', enabled }] : [];
  expectDone(await client.post(importPath, importBody({ features: [{ name }], featureEnvironments })));
  return name;
}

/** The complete feature, as an update that changes nothing answers it. */
export async function fetchFeature(client: Client, name: string): Promise<FeatureReply> {
  return bodyOf<FeatureReply>(await client.put(paths.feature(name), {}));
}

export async function fetchState(client: Client, name: string, environment = 'development'): Promise<StateReply> {
  const { environments } = await fetchFeature(client, name);
  const state = environments.find((each) => each.name === environment);
  if (state === undefined) throw new Error(`${name} has no environment ${environment}.`);
  return state;
}

/** All events of a feature, oldest first, held against what is true of every such list. */
export async function fetchEvents(client: Client, name: string): Promise<FeatureEvent[]> {
  const body = bodyOf<EventList>(await client.get(paths.events(name)));
  const events = body.events.toReversed();
  expect(body).toMatchObject({ version: 1, toggleName: name, totalEvents: events.length });
  for (const [index, { id }] of events.entries()) expect(id).toBeGreaterThan(events[index - 1]?.id ?? 0);
  return events;
}

export async function fetchEventTypes(client: Client, name: string): Promise<string[]> {
  return (await fetchEvents(client, name)).map(({ type }) => type);
}
