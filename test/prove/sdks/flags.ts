import type { Address } from '../../bench/throughput/call.ts';

/** The flags that every SDK reads, in `development` of `default`. */
const variant = (type: string, value: string) => [
  { name: 'one', weight: 1000, weightType: 'variable', stickiness: 'default', payload: { type, value } },
];
const forEverybody = (variants: object[] = []) => ({
  name: 'flexibleRollout',
  parameters: { rollout: '100', stickiness: 'default' },
  variants,
});
const strategies: Readonly<Record<string, object>> = {
  plain: forEverybody(),
  targeted: { name: 'userWithId', parameters: { userIds: '7' } },
  regional: {
    name: 'default',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['NZ'] }],
  },
  text: forEverybody(variant('string', 'blue')),
  number: forEverybody(variant('number', '42')),
  json: forEverybody(variant('json', '{"color":"blue"}')),
  // Those of the snippets in functions/client/README.md.
  'new-checkout': forEverybody(),
  'checkout-color': forEverybody(variant('string', 'blue')),
};

/** A running service with flags, and what a script of a person may do with them. */
export class Flags {
  readonly url: string;
  readonly #adminToken: string;
  #switched = false;

  constructor({ url, token }: Address) {
    this.url = url;
    this.#adminToken = token;
  }

  /** Makes the flags; `switched` and `off` are off. */
  async make(): Promise<void> {
    await this.#import(
      { ...strategies, switched: forEverybody(), off: forEverybody(variant('string', 'blue')) },
      Object.keys(strategies).map((name) => [name, true]),
    );
  }

  /** Switches the flag `switched` the other way; it is answered when it is done. */
  async flip(): Promise<boolean> {
    this.#switched = !this.#switched;
    await this.#import({ switched: forEverybody() }, [['switched', this.#switched]]);
    return this.#switched;
  }

  get isSwitched(): boolean {
    return this.#switched;
  }

  async token(type: 'client' | 'frontend'): Promise<string> {
    const scope = { projects: ['*'], environment: 'development' };
    const { secret } = await this.#ask('POST', '/api/admin/api-tokens', { type, tokenName: 'proof', ...scope });
    return String(secret);
  }

  /** Reads the number of evaluations of a flag by an application, as the service counts them. */
  async usesOf(feature: string, application: string): Promise<number> {
    const { data } = await this.#ask('GET', `/api/admin/client-metrics/features/${feature}/raw?hoursBack=2`);
    const rows = data as { appName: string; yes: number; no: number }[];
    return rows.filter(({ appName }) => appName === application).reduce((sum, { yes, no }) => sum + yes + no, 0);
  }

  async #import(of: Readonly<Record<string, object>>, states: readonly (readonly [string, boolean])[]): Promise<void> {
    const data = {
      features: Object.keys(of).map((name) => ({ name })),
      featureStrategies: Object.entries(of).map(([featureName, strategy]) => ({ ...strategy, featureName })),
      featureEnvironments: states.map(([featureName, enabled]) => ({ featureName, name: 'development', enabled })),
      tagTypes: [],
    };
    await this.#ask('POST', '/api/admin/features-batch/import', {
      project: 'default',
      environment: 'development',
      data,
    });
  }

  async #ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: this.#adminToken, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }
}
