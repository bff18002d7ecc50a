import * as v from 'valibot';

/** An SDK token that exists on both servers. */
export interface ComparedToken {
  readonly secret: string;
  readonly name: string;
  readonly type: 'client' | 'frontend';
  readonly environment: string;
  /** Ids, or `*`. */
  readonly projects: readonly string[];
}

const allProjects = '*';

const listedToken = v.looseObject({
  secret: v.string(),
  type: v.picklist(['client', 'backend', 'frontend']),
  environment: v.string(),
  expiresAt: v.nullish(v.string()),
});

/** Returns the SDK tokens in a server's list that have not expired, and whose secrets the list shows. */
export function sdkTokensIn(listed: readonly Readonly<Record<string, unknown>>[], now = new Date()): ComparedToken[] {
  return listed.flatMap((entry) => {
    const { success, output } = v.safeParse(listedToken, entry);
    if (!success || output.secret.includes('***') || new Date(output.expiresAt ?? Number.MAX_VALUE) < now) return [];
    const { secret, environment, tokenName, username, projects, project } = output;
    return {
      ...{ secret, environment, type: output.type === 'frontend' ? 'frontend' : 'client' },
      name: String(tokenName ?? username ?? ''),
      projects: (Array.isArray(projects) ? projects : [project ?? allProjects]).map(String),
    };
  });
}

/** Chooses as few client tokens as possible that together can read all flags of an environment that any token can read. */
export function chooseTokens(environment: string, tokens: readonly ComparedToken[]): readonly ComparedToken[] {
  const own = tokens
    .filter((token) => token.type === 'client' && token.environment === environment)
    .toSorted((a, b) => b.projects.length - a.projects.length);
  const whole = own.find(({ projects }) => projects.includes(allProjects));
  if (whole !== undefined) return [whole];
  const covered = new Set<string>();
  return own.filter(({ projects }) => {
    const adds = projects.some((project) => !covered.has(project));
    for (const project of projects) covered.add(project);
    return adds;
  });
}

/** Returns a sentence about the flags of an environment that no client token can read; nothing if there are none. */
export function describeUnread(
  environment: string,
  chosen: readonly ComparedToken[],
  projects: readonly string[],
): readonly string[] {
  if (chosen.length === 0) return [`Flags in ${environment}: it has no client token.`];
  const covered = new Set(chosen.flatMap((token) => token.projects));
  const missing = covered.has(allProjects) ? [] : projects.filter((project) => !covered.has(project));
  return missing.length === 0
    ? []
    : [`Flags in ${environment} of projects without a client token: ${missing.join(', ')}.`];
}
