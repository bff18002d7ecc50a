import * as endpoints from '../../../functions/index.ts';
import { handler as notFound } from '../../../functions/service/notFound.ts';
import { startLocalServer } from '../../../lib/http/local-server.ts';
import { readSeed } from '../../../lib/seed/seed-data.ts';
import { openService } from '../service.ts';
import { type Context, type Outcome, off, type State, type StateStrategy } from './state.ts';

/** A fresh service over HTTP, with flags that were made through its own API. It ends with the block that uses it. */
export interface Site extends AsyncDisposable {
  /** All flags for a context, by name, as `/api/frontend` answers them: those that are on. */
  frontend(environment: string, context: Context): Promise<ReadonlyMap<string, Outcome>>;
  /** All flags for a context, by name, as OFREP answers them. */
  ofrep(environment: string, context: Context): Promise<ReadonlyMap<string, Outcome>>;
}

const builtIn = ['default', 'flexibleRollout'];

/** @throws Error where the API refuses something. */
export async function openSite(state: State, environments: readonly string[]): Promise<Site> {
  const types = new Set(state.features.flatMap(({ strategies = [] }) => strategies.map(({ name }) => name)));
  const fields = ['region', 'country'];
  const service = await openService(
    readSeed({
      environments: environments.map((name) => ({ name })),
      projects: [{ id: 'default', environments }],
      contextFields: fields.map((name) => ({ name })),
    }),
  );
  const server = await startLocalServer({ endpoints, notFound, host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${server.port}`;
  const ask = async (method: string, path: string, token: string, body?: object) => {
    const headers = { authorization: token, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 1_500)}`);
    return text === '' ? {} : JSON.parse(text);
  };
  const admin = (method: string, path: string, body?: object) => ask(method, path, service.adminToken, body);

  const known = (await admin('GET', '/api/admin/strategies')).strategies.map(({ name }: { name: string }) => name);
  for (const name of types) {
    if (![...builtIn, ...known].includes(name)) await admin('POST', '/api/admin/strategies', { name, parameters: [] });
  }
  const ids = new Map<number, number>();
  for (const { id, constraints } of state.segments ?? []) {
    const made = await admin('POST', '/api/admin/segments', { name: `segment-${id}`, constraints });
    ids.set(id, made.id);
  }
  const tokens = new Map<string, string>();
  for (const environment of environments) {
    await admin('POST', '/api/admin/features-batch/import', {
      project: 'default',
      environment,
      data: importOf(state, environment, ids),
    });
    const scope = { projects: ['*'], environment };
    const { secret } = await admin('POST', '/api/admin/api-tokens', { type: 'frontend', tokenName: 'proof', ...scope });
    tokens.set(environment, secret);
  }
  const tokenOf = (environment: string) => tokens.get(environment) ?? '';
  return {
    async frontend(environment, context) {
      const { toggles } = await ask('POST', '/api/frontend', tokenOf(environment), { context });
      return new Map(
        toggles.map(({ name, variant }: NamedVariant) => [name, { enabled: true, variant: shown(variant) }]),
      );
    },
    async ofrep(environment, context) {
      const { flags } = await ask('POST', '/ofrep/v1/evaluate/flags', tokenOf(environment), { context });
      return new Map(flags.filter(({ key }: OfrepFlag) => !key.includes(':')).map(outcomeOf));
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      service.table.client.destroy();
    },
  };
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

/** What OFREP says of a flag; a variant's payload is the value. */
function outcomeOf({ key, variant, reason, metadata }: OfrepFlag): [string, Outcome] {
  const isVariant = reason === 'SPLIT';
  const found = isVariant ? { name: variant, enabled: true } : off.variant;
  return [key, { enabled: metadata.enabled, variant: found }];
}

/** The flags as an import takes them. */
function importOf({ features }: State, environment: string, ids: ReadonlyMap<number, number>): object {
  const strategyOf = (featureName: string) => (strategy: StateStrategy) => ({
    ...strategy,
    featureName,
    parameters: Object.fromEntries(
      Object.entries(strategy.parameters ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    // What an SDK takes for granted is written down in an import.
    ...(strategy.variants && {
      variants: strategy.variants.map((variant) => ({
        weightType: 'variable',
        stickiness: String(strategy.parameters?.stickiness ?? 'default'),
        ...variant,
      })),
    }),
    ...(strategy.segments && { segments: strategy.segments.map((id) => ids.get(id) ?? id) }),
  });
  return {
    features: features.map(({ name, description }) => ({ name, ...(description !== undefined && { description }) })),
    featureStrategies: features.flatMap(({ name, strategies = [] }) => strategies.map(strategyOf(name))),
    featureEnvironments: features.map(({ name: featureName, enabled, variants }) => ({
      name: environment,
      featureName,
      enabled,
      ...(variants && { variants }),
    })),
    dependencies: features.flatMap(({ name, dependencies = [] }) =>
      dependencies.length > 0 ? [{ feature: name, dependencies }] : [],
    ),
    segments: [...ids].map(([id, made]) => ({ id: made, name: `segment-${id}` })),
    tagTypes: [],
  };
}
