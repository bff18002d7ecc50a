import * as v from 'valibot';

/** An SDK's token that exists on both servers. */
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

/** The tokens of SDKs in a server's own list: those that have not expired, and whose secrets it shows. */
export function sdkTokensIn(listed: readonly Readonly<Record<string, unknown>>[], now = new Date()): ComparedToken[] {
  return listed.flatMap((each) => {
    const { success, output } = v.safeParse(listedToken, each);
    if (!success || output.secret.includes('***') || new Date(output.expiresAt ?? Number.MAX_VALUE) < now) return [];
    const { secret, environment, tokenName, username, projects, project } = output;
    return {
      ...{ secret, environment, type: output.type === 'frontend' ? 'frontend' : 'client' },
      name: String(tokenName ?? username ?? ''),
      projects: (Array.isArray(projects) ? projects : [project ?? allProjects]).map(String),
    };
  });
}

/** The fewest client tokens that get all flags of an environment which any of them gets, about. */
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

/** Says which flags of an environment no token gets, so that no application does either; nothing where there are none. */
export function notAsked(
  environment: string,
  asking: readonly ComparedToken[],
  projects: readonly string[],
): readonly string[] {
  if (asking.length === 0) return [`Flags in ${environment}: it has no client token.`];
  const covered = new Set(asking.flatMap((token) => token.projects));
  const missing = covered.has(allProjects) ? [] : projects.filter((project) => !covered.has(project));
  return missing.length === 0
    ? []
    : [`Flags in ${environment} of projects without a client token: ${missing.join(', ')}.`];
}
