/** A call of the script, the same on both servers. `{flag}` stands for what an earlier step kept under that name. */
export interface ScriptStep {
  readonly title: string;
  /** Method and path. */
  readonly send: string;
  /** Owner of the token that it carries; an admin by default. */
  readonly as?: 'client' | 'frontend' | 'nobody';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Places in the reply of values that later steps need, by name: `strategies.0.id`, `header etag`, `query token url`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** The lists of the reply that may hold what others have made; only what this run has made is compared. */
  readonly own?: readonly string[];
  /** It reads what a server may show some time after the change. */
  readonly settles?: true;
}
