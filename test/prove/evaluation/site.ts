import { randomUUID } from 'node:crypto';
import { systemUser } from '../../../lib/events/actor.ts';
import { stampEvents } from '../../../lib/events/event.ts';
import { takeEventIds } from '../../../lib/events/event-ids.ts';
import { buildNewFeature, type Feature, metadataOf } from '../../../lib/features/feature.ts';
import { buildFeatureWrites } from '../../../lib/features/items/feature-writes.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { fullAccess, type Request } from '../../../lib/request.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import type { Write } from '../../../lib/store/transactions/write.ts';
import { get, post, send, type TimedCall } from '../../harness/http-call.ts';
import { importOf, importPath } from '../../harness/import-file.ts';
import { serveHere } from '../../harness/served.ts';
import { openService } from '../service.ts';
import {
  type Context,
  type EvaluationState,
  type Outcome,
  off,
  type StateFeature,
  type StateStrategy,
} from './state.ts';

/** A fresh service over HTTP, with flags that were made through its own API. It ends with the block that uses it. */
export interface Site extends AsyncDisposable {
  /** All flags for a context, by name, as `/api/frontend` answers them: those that are on. */
  frontend(environment: string, context: Context): Promise<ReadonlyMap<string, Outcome>>;
  /** All flags for a context, by name, as OFREP answers them. */
  ofrep(environment: string, context: Context): Promise<ReadonlyMap<string, Outcome>>;
}

const builtIn = ['default', 'flexibleRollout'];

/**
 * @param refused flags of the state that the API refuses to make; they are put into the store past it.
 * @throws Error where the API refuses something else.
 */
export async function openSite(
  state: EvaluationState,
  environments: readonly string[],
  refused: readonly StateFeature[] = [],
): Promise<Site> {
  const types = new Set(state.features.flatMap(({ strategies = [] }) => strategies.map(({ name }) => name)));
  const made = { ...state, features: state.features.filter((feature) => !refused.includes(feature)) };
  const fields = ['region', 'country'];
  const service = await openService(
    readSeed({
      environments: environments.map((name) => ({ name })),
      projects: [{ id: 'default', environments }],
      contextFields: fields.map((name) => ({ name })),
    }),
  );
  await using opened = new AsyncDisposableStack();
  opened.defer(() => service.table.store.client.destroy());
  const { url } = opened.use(await serveHere());
  // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds.
  const ask = (call: TimedCall, token = service.adminToken): Promise<any> => send({ url, token }, call);

  const known = (await ask(get('/api/admin/strategies'))).strategies.map(({ name }: { name: string }) => name);
  for (const name of types) {
    if (![...builtIn, ...known].includes(name)) await ask(post('/api/admin/strategies', { name, parameters: [] }));
  }
  const ids = new Map<number, number>();
  for (const { id, constraints } of state.segments ?? []) {
    const made = await ask(post('/api/admin/segments', { name: `segment-${id}`, constraints }));
    ids.set(id, made.id);
  }
  const tokens = new Map<string, string>();
  for (const environment of environments) {
    await ask(post(importPath, flagsOf(made, environment, ids)));
    const scope = { projects: ['*'], environment };
    const { secret } = await ask(post('/api/admin/api-tokens', { type: 'frontend', tokenName: 'proof', ...scope }));
    tokens.set(environment, secret);
  }
  for (const feature of state.features) {
    if (refused.includes(feature)) await putPastApi(service.table, feature, environments, ids);
  }
  const tokenOf = (environment: string) => tokens.get(environment) ?? '';
  const kept = opened.move();
  return {
    async frontend(environment, context) {
      const { toggles } = await ask(post('/api/frontend', { context }), tokenOf(environment));
      return new Map(
        toggles.map(({ name, variant }: NamedVariant) => [name, { enabled: true, variant: shown(variant) }]),
      );
    },
    async ofrep(environment, context) {
      const { flags } = await ask(post('/ofrep/v1/evaluate/flags', { context }), tokenOf(environment));
      return new Map(flags.filter(({ key }: OfrepFlag) => !key.includes(':')).map(outcomeOf));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Stores a flag as if it had been made before there was a rule against it. */
async function putPastApi(
  table: Request,
  { name, enabled, strategies = [], dependencies = [] }: StateFeature,
  environments: readonly string[],
  ids: ReadonlyMap<number, number>,
): Promise<void> {
  const createdAt = new Date().toISOString();
  const state = {
    enabled,
    strategies: strategies.map((strategy, sortOrder) => ({
      id: randomUUID(),
      title: null,
      disabled: false,
      featureName: name,
      sortOrder,
      constraints: [],
      ...importedStrategy(strategy, ids),
    })),
    variants: [],
  };
  const after = buildNewFeature({
    name,
    project: 'default',
    createdAt,
    createdBy: systemUser,
    dependencies: dependencies.map((each) => ({
      enabled: true,
      variants: [],
      ...each,
    })) as unknown as Feature['dependencies'],
    environments: new Map(
      environments.map((environment) => [environment, state]),
    ) as unknown as Feature['environments'],
  });
  const created = { type: 'feature-created', project: 'default', featureName: name, data: metadataOf(after) } as const;
  const { first } = await takeEventIds(table, 1);
  const events = stampEvents([created], first, systemUser, createdAt);
  // Without conditions, since what it refers to need not be there.
  const writes = buildFeatureWrites(fullAccess, { stored: undefined, after }, events).filter(
    (each) => !('check' in each),
  );
  await transact(
    table,
    writes.map(({ when: _, ...write }: Write & { readonly when?: unknown }) => write as Write),
    undefined,
  );
}

interface NamedVariant {
  readonly name: string;
  readonly variant: Outcome['variant'];
}

interface OfrepFlag {
  readonly key: string;
  readonly value?: unknown;
  readonly variant: string;
  readonly reason: string;
  readonly metadata: { readonly enabled: boolean };
}

function shown({ name, enabled, payload }: Outcome['variant']): Outcome['variant'] {
  return { name, enabled, ...(payload !== undefined && { payload }) };
}

/** Reads the outcome of a flag from OFREP; the payload of a variant is the value. */
function outcomeOf({ key, variant, reason, metadata }: OfrepFlag): [string, Outcome] {
  const isVariant = reason === 'SPLIT';
  const found = isVariant ? { name: variant, enabled: true } : off.variant;
  return [key, { enabled: metadata.enabled, variant: found }];
}

/** Returns the body of an import of the flags. */
function flagsOf({ features }: EvaluationState, environment: string, ids: ReadonlyMap<number, number>): object {
  const filed = features.map(({ dependencies = [], strategies = [], ...feature }) => ({
    ...feature,
    strategies: strategies.map((each) => importedStrategy(each, ids)),
    parents: dependencies,
  }));
  const segments = [...ids].map(([id, made]) => ({ id: made, name: `segment-${id}` }));
  return importOf(filed, { environment, further: { segments } });
}

/** Converts a strategy for an import, with the defaults of SDKs written out. */
function importedStrategy({ parameters = {}, ...strategy }: StateStrategy, ids: ReadonlyMap<number, number>) {
  return {
    ...strategy,
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
    variants: (strategy.variants ?? []).map((variant) => ({
      weightType: 'variable',
      stickiness: String(parameters.stickiness ?? 'default'),
      ...variant,
    })),
    segments: (strategy.segments ?? []).map((id) => ids.get(id) ?? id),
  };
}
