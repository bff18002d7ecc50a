import { type Address, get, post, remove, send } from '../../harness/http-call.ts';
import { type FiledFeature, importOf, importPath } from '../../harness/import-file.ts';

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

const switched = { name: 'switched', strategies: [forEverybody()] };

/** A running service with flags, and what a script of a person may do with them. */
export class Flags {
  readonly url: string;
  readonly #address: Address;
  #switched = false;
  #count = 0;

  constructor(address: Address) {
    this.url = address.url;
    this.#address = address;
  }

  /** Makes the flags; `switched` and `off` are off. */
  async make(): Promise<void> {
    const on = Object.entries(strategies).map(([name, strategy]) => ({ name, strategies: [strategy], enabled: true }));
    const off = { name: 'off', strategies: [forEverybody(variant('string', 'blue'))] };
    await this.#import([...on, switched, off]);
  }

  /** Switches the flag `switched` the other way; it is answered when it is done. */
  async flip(): Promise<boolean> {
    this.#switched = !this.#switched;
    await this.#import([{ ...switched, enabled: this.#switched }]);
    return this.#switched;
  }

  /** Raises the number that is the payload of the flag `counted` by one, and returns it. */
  async count(): Promise<number> {
    this.#count += 1;
    await this.#import([
      { name: 'counted', strategies: [forEverybody(variant('number', String(this.#count)))], enabled: true },
    ]);
    return this.#count;
  }

  get isSwitched(): boolean {
    return this.#switched;
  }

  async token(type: 'client' | 'frontend'): Promise<string> {
    const scope = { projects: ['*'], environment: 'development' };
    const token = { type, tokenName: 'proof', ...scope };
    return ((await send(this.#address, post('/api/admin/api-tokens', token))) as { secret: string }).secret;
  }

  /** Deletes a token. */
  async revoke(secret: string): Promise<void> {
    await send(this.#address, remove(`/api/admin/api-tokens/${encodeURIComponent(secret)}`));
  }

  usesOf(flag: string, application: string): Promise<number> {
    return countedUses(this.#address, flag, application);
  }

  async #import(features: readonly FiledFeature[]): Promise<void> {
    await send(this.#address, post(importPath, importOf(features)));
  }
}

/** The number of evaluations that a server has counted of a flag by an application. */
export async function countedUses(server: Address, flag: string, application: string): Promise<number> {
  const counts = await send(server, get(`/api/admin/client-metrics/features/${flag}/raw?hoursBack=2`));
  const { data } = counts as { data: { appName: string; yes: number; no: number }[] };
  return data.filter(({ appName }) => appName === application).reduce((sum, { yes, no }) => sum + yes + no, 0);
}
