import { change } from '../entity/change.ts';
import { noEffects } from '../entity/effects.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import * as tokenKeys from '../identity/tokens/keys.ts';
import { hashOf, mayBeSdkSecret, parseScope, type TokenScope } from '../identity/tokens/token.ts';
import { buildToken, buildTokenCreation, type Token, tokenIdOf, tokens } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';
import {
  assertPlacesExist,
  assertTokensFit,
  buildPlaceChecks,
  loadPlaces,
  type NewApiToken,
  normalizeProjects,
  type Places,
} from './api-tokens.ts';
import { keepsClientSecrets } from './readable-secrets.ts';

/** A token that SDKs already use. Its scope may be omitted if the secret states it; otherwise the given one counts. */
export type TokenInUse = Omit<NewApiToken, keyof TokenScope> &
  Partial<TokenScope> & {
    readonly secret: string;
  };

/**
 * Adds an SDK token with the secret that it has on another server. Adding it again changes nothing.
 * @throws ApiError 400 for an invalid secret, a missing scope, and one token too many; 404 that names the unknown environment and
 * projects; 409 if another token has the secret.
 */
export async function importToken(request: Request, actor: Actor, input: TokenInUse): Promise<Token> {
  const { secret } = input;
  if (!mayBeSdkSecret(secret)) throw invalidRequest([{ message: sdkForm }]);
  const projects = normalizeProjects(input.projects ?? parseScope(secret, []).projects ?? []);
  const isReadable = input.kind === 'frontend' || keepsClientSecrets();
  return change(request, actor, {
    items: [tokenKeys.token(hashOf(secret))],
    read: () => Promise.all([tokens.find(request, hashOf(secret)), loadPlaces(request, projects)]),
    revisionOf: () => undefined,
    decide: ([existing, places], at) => {
      const scope = requireScope(places, input, projects);
      const token = buildToken(secret, { ...input, ...scope, isReadable }, at);
      if (existing !== undefined) {
        assertSame(existing.value, token);
        return { ...noEffects, result: existing.value };
      }
      assertPlacesExist(scope, places);
      assertTokensFit(places);
      const { writes, events } = buildTokenCreation(token, 'retry');
      return { writes: [...buildPlaceChecks(scope), ...writes], events, result: token };
    },
  });
}

const sdkForm =
  'The secret must be that of an SDK token: a project, "*" or "[]", then ":", an environment, "." and random characters; or only 40 to 128 hexadecimal digits, as in old releases of Unleash.';

function requireScope({ environments }: Places, input: TokenInUse, projects: readonly string[]): TokenScope {
  const { environment = parseScope(input.secret, environments).environment } = input;
  const missing: ErrorDetail[] = [
    ...(projects.length > 0 ? [] : [{ message: 'The secret does not name its projects: name them with --project.' }]),
    ...(environment === undefined
      ? [{ message: 'The secret does not name its environment: name it with --environment.' }]
      : []),
  ];
  if (environment === undefined || missing.length > 0) throw invalidRequest(missing);
  return { projects, environment };
}

function assertSame(existing: Token, token: Token): void {
  const purposeOf = ({ kind, environment, projects = [] }: Token) => [kind, environment, ...projects.toSorted()].join();
  if (purposeOf(existing) === purposeOf(token)) return;
  const message = `The token ${tokenIdOf(existing.hash)} has this secret but another scope; revoke it first.`;
  throw new ApiError('NameExistsError', message);
}
