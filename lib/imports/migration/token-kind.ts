import * as v from 'valibot';
import { environments } from '../../environments/environments.ts';
import { invalid } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { allProjects, hashOf, mayBeSdkSecret } from '../../identity/tokens/token.ts';
import {
  buildExpiry,
  buildToken,
  buildTokenCreation,
  removeToken,
  scopeOf,
  type Token,
  tokens,
} from '../../identity/tokens/tokens.ts';
import { readApiTokensLimit } from '../../limits.ts';
import { username } from '../../people/user-fields.ts';
import { buildPlaceChecks, kindOfType, normalizeProjects } from '../../tokens/api-tokens.ts';
import { keepsClientSecrets } from '../../tokens/readable-secrets.ts';
import { isStrongSecret } from '../../tokens/token-strength.ts';
import type { JsonObject } from '../../values/json.ts';
import { name, object, text } from '../../values/primitives.ts';
import { entityKind } from './entity-kind.ts';
import { buildKind, type ServerKind, type ServerMigration } from './plan.ts';
import { ignoreInvalid, readName, time } from './server-values.ts';
import { requireImported } from './shared-kinds.ts';

const sdkTypes = ['client', 'backend', 'frontend'] as const;
const typeOf = ({ type }: JsonObject) => String(type).toLowerCase();

const sdkToken = object({
  secret: text,
  tokenName: ignoreInvalid(username),
  username: ignoreInvalid(username),
  type: v.pipe(text, v.toLowerCase(), v.picklist(sdkTypes)),
  environment: name,
  projects: v.optional(v.array(text)),
  project: v.optional(text),
  createdAt: time,
  expiresAt: time,
  seenAt: time,
  alias: ignoreInvalid(text),
});

/** The tokens of SDKs, with their secrets, so that applications keep them. */
const tokenKind: ServerKind = entityKind({
  title: 'SDK tokens',
  entity: {
    ...tokens,
    get max() {
      return readApiTokensLimit();
    },
    buildCreationEffects: (token: Token, _at: string, ifTaken) => buildTokenCreation(token, ifTaken),
  },
  list: 'tokens',
  from: ({ lists }) => lists.tokens.filter((token) => typeOf(token) !== 'admin'),
  schema: sdkToken,
  remove: (request, hash: string) => removeToken(request, systemUser, () => tokens.load(request, hash)),
  nameOf: readName('tokenName', 'username'),
  find: ({ secret }, all) => all.get(hashOf(secret)),
  make: async ({ secret, type, environment, createdAt, expiresAt, seenAt, ...entry }, { at, before, migration }) => {
    const { kind } = kindOfType(type);
    if (!mayBeSdkSecret(secret))
      throw invalid('The server does not show its secret: create a new one for its applications.');
    if (kind === 'client' && !isStrongSecret(secret.slice(secret.indexOf('.') + 1))) {
      throw invalid('Its secret can be guessed: create a new one for its applications.');
    }
    const projects = normalizeProjects(entry.projects ?? (entry.project === undefined ? [] : [entry.project]));
    if (projects.length === 0) throw invalid('It is for no project.');
    await requirePlaces(migration, { projects, environment });
    const expiry = expiresAt ? new Date(expiresAt) : undefined;
    if (before !== undefined) {
      const scope = scopeOf(before);
      const isSame = before.kind === kind && scope?.environment === environment && isSameSet(scope.projects, projects);
      if (!isSame) throw invalid('A token here has the same secret and another scope.');
      const { expiresAt: _expiresAt, ...kept } = before;
      return { ...kept, ...buildExpiry(kind, expiry) };
    }
    const wanted = {
      ...{ ...kindOfType(type), environment, projects, name: entry.tokenName ?? entry.username ?? 'unnamed' },
      ...{ expiresAt: expiry, isReadable: kind === 'frontend' || keepsClientSecrets() },
    };
    return { ...buildToken(secret, wanted, createdAt ?? at), ...(seenAt && { seenAt }) };
  },
  buildExtraWrites: async (_request, token, before) =>
    before === undefined ? buildPlaceChecks(scopeOf(token) as never) : [],
  remarkOf: ({ alias }) => (alias === undefined ? undefined : 'without its second secret (alias)'),
});

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join() === b.toSorted().join();
}

/** Tokens of the admin API. Each person and each script gets a new one. */
const adminTokenKind = buildKind('admin and personal tokens', async ({ source: { lists } }) => ({
  steps: [],
  refused: lists.tokens
    .filter((token) => typeOf(token) === 'admin')
    .map((token) => ({
      name: readName('tokenName', 'username')(token),
      reason: 'admin tokens are not imported: npm run token -- --admin creates a new one',
    })),
  remarks: [{ name: 'passwords, personal tokens', reason: 'no server shows them: their owners create new ones' }],
}));

/** @throws ApiError 400 for a token of a project or an environment that is not here. */
async function requirePlaces(
  migration: ServerMigration,
  { projects, environment }: Pick<Token, 'projects' | 'environment'>,
) {
  const { request, target } = migration;
  const stored = target.withPlanned('environment', [
    ...(await environments.findSomeVersioned(request, [environment ?? ''])),
  ]);
  if (!stored.has(environment ?? '')) throw invalid(`There is no environment "${environment}" here.`);
  const named = (projects ?? []).filter((project) => project !== allProjects);
  await requireImported(migration, named);
}

export const tokenKinds: readonly ServerKind[] = [tokenKind, adminTokenKind];
