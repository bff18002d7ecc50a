/** A call of the script, the same on both servers. `{flag}` stands for what an earlier call kept under that name. */
interface ScriptCall {
  /**
   * Method and path, and who sends it if that is not an admin: `GET /ready as nobody`, or `as client`, by the token that
   * was kept as `client token`; `somebody` has signed in.
   */
  readonly send: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Places in the reply of values that later steps need, by name: `strategies.0.id`, `header etag`, `query token url`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** The lists of the reply that may hold what others have made; only what this run has made is compared. */
  readonly own?: readonly string[];
  /** It reads what a server may show some time after the change. */
  readonly settles?: true;
}

/** Calls by their titles, in their order. One that is only sent is its `send`. */
export type TitledCalls = Readonly<Record<string, string | ScriptCall>>;

/** A call with its title, and its `send` taken apart. */
export interface ScriptStep extends Omit<ScriptCall, 'send'> {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly as: string;
}

export function stepsOf(...scripts: readonly TitledCalls[]): ScriptStep[] {
  return scripts.flatMap(Object.entries<string | ScriptCall>).map(([title, call]) => {
    const { send, ...rest } = typeof call === 'string' ? { send: call } : call;
    const [, method = '', path = '', as = 'admin'] = /^(\S+) (.*?)(?: as (\w+))?$/.exec(send) ?? [];
    return { title, method, path, as, ...rest };
  });
}

/** A strategy of a flag, for a tenth of some countries. */
export const gradual = {
  name: 'flexibleRollout',
  title: 'a tenth',
  parameters: { rollout: '10', stickiness: 'default', groupId: '{flag}' },
  constraints: [
    { contextName: 'country', operator: 'IN', values: ['NZ', 'CH'], inverted: false, caseInsensitive: false },
  ],
};
