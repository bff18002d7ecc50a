/** A call of the script, the same on both servers. `{flag}` stands for what an earlier step kept under that name. */
export interface Step {
  readonly title: string;
  /** Method and path. */
  readonly send: string;
  /** Whose token it carries; an admin's by default. */
  readonly as?: 'client' | 'frontend' | 'nobody';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What later steps need: a name, and where in the reply it is (`strategies.0.id`, `header etag`, `query token url`). */
  readonly keep?: Readonly<Record<string, string>>;
  /** The lists of the reply that may hold what others have made; only what this run has made is compared. */
  readonly own?: readonly string[];
  /** It reads what a server may show some time after the change. */
  readonly settles?: true;
}
