import type { ApiToken } from '../../tokens/api-token-schema.ts';
import { authorNameOf } from '../words/people.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** Days after which a token that nothing uses is marked. */
const unusedDays = 30;

/** The year with which Unleash marks a token that never expires. */
const neverYear = '9999';

/** Tells whether a token has expired. @param now milliseconds since 1970. */
export function isExpired({ expiresAt }: Pick<ApiToken, 'expiresAt'>, now = Date.now()): boolean {
  return expiresAt !== null && new Date(expiresAt).getTime() <= now;
}

/** Tells whether the service records the uses of a token: it does for those of SDKs alone. */
export function isUseRecorded({ type }: Pick<ApiToken, 'type'>): boolean {
  return type !== 'admin';
}

/** Returns the reason to look at a token: it has expired, or no SDK has used it for 30 days. @param now milliseconds since 1970. */
export function findTokenProblem(token: ApiToken, now = Date.now()): 'expired' | 'unused' | undefined {
  if (isExpired(token, now)) return 'expired';
  if (!isUseRecorded(token)) return undefined;
  const { createdAt, seenAt } = token;
  return now - new Date(seenAt ?? createdAt).getTime() > unusedDays * dayMs ? 'unused' : undefined;
}

/** Tells whether a token has no expiry. */
export function isForever(expiresAt: string | null): boolean {
  return expiresAt === null || expiresAt.startsWith(neverYear);
}

/** Returns the beginning of a token, by which people recognize it; the rest stays secret. */
export function startOfToken(secret: string): string {
  const [start = ''] = secret.split('***');
  const [scope = '', random] = start.split('.');
  return random === undefined ? `${start.slice(0, 12)}…` : `${scope}.${random.slice(0, 4)}…`;
}

/** The kinds of tokens: where they are used, and whether they are secret. */
export const tokenKinds: Readonly<Record<ApiToken['type'], string>> = {
  client: 'On servers',
  backend: 'On servers',
  frontend: 'In pages',
  admin: 'Admin',
};

/** Filters of the list of tokens, as its address holds them. */
export interface TokenFilters {
  readonly search: string;
  readonly show: 'expired' | 'unused' | undefined;
  readonly environment: string | undefined;
}

/** Returns the tokens that all filters let through. Each word of the search is in the name, a project or the environment. */
export function filterTokens(
  tokens: readonly ApiToken[],
  { search, show, environment }: TokenFilters,
  now = Date.now(),
): ApiToken[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return tokens.filter((token) => {
    if (environment !== undefined && token.environment !== environment) return false;
    if (show !== undefined && findTokenProblem(token, now) !== show) return false;
    const text = `${token.tokenName} ${token.projects.join(' ')} ${token.environment}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** An event of the creation of tokens, as far as it tells who made one. */
interface CreationEvent {
  readonly createdBy: string;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Returns the author of a token, found by its name and the time of its creation; undefined if the event log does not go back so far. */
export function findMaker(
  { tokenName, createdAt }: Pick<ApiToken, 'tokenName' | 'createdAt'>,
  events: readonly CreationEvent[],
): string | undefined {
  const event = events.find(({ data }) => data?.tokenName === tokenName && data.createdAt === createdAt);
  return event && authorNameOf(event.createdBy);
}

/** An application that has reported itself. */
interface SeenApplication {
  readonly appName: string;
  readonly lastSeen: string;
  readonly usage: readonly { readonly project: string; readonly environments: readonly string[] }[];
}

/** Lists the applications of the last 24 hours that may use a token: they use flags of its projects in its environment. */
export function listLikelyUsers(
  { environment, projects }: Pick<ApiToken, 'environment' | 'projects'>,
  applications: readonly SeenApplication[],
  now = Date.now(),
): string[] {
  return applications
    .filter(({ lastSeen }) => now - new Date(lastSeen).getTime() < dayMs)
    .filter(({ usage }) =>
      usage.some(
        ({ project, environments }) =>
          (projects.includes('*') || project === '*' || projects.includes(project)) &&
          (environment === '*' || environments.includes('*') || environments.includes(environment)),
      ),
    )
    .map(({ appName }) => appName);
}
