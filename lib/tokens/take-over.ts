import { change } from '../entity/change.ts';
import { noEffects } from '../entity/step.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import * as tokenKeys from '../identity/tokens/keys.ts';
import { hashOf, mayBeSdkSecret, parseScope, type TokenScope } from '../identity/tokens/token.ts';
import { buildToken, buildTokenCreation, type Token, tokenIdOf, tokens } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';
import {
  assertKnown,
  assertTokensFit,
  distinct,
  loadPlaces,
  type NewApiToken,
  type Places,
  placesAreThere,
} from './api-tokens.ts';
import { keepsClientSecrets } from './readable-secrets.ts';

/** Token that SDKs use already. Its scope is required unless its text states it; a given scope takes precedence. */
export type TokenInUse = Omit<NewApiToken, keyof TokenScope> &
  Partial<TokenScope> & {
    readonly secret: string;
  };

/**
 * Adds a token of an SDK with the secret that it has elsewhere. Adding the same again does nothing.
 * @throws ApiError 400 for an invalid secret, an unknown scope, or too many tokens; 404 that names the unknown
 * environment and projects; 409 if another token has the secret.
 */
export async function takeOverToken(request: Request, actor: Actor, wanted: TokenInUse): Promise<Token> {
  const { secret } = wanted;
  if (!mayBeSdkSecret(secret)) throw invalidRequest([{ message: sdkForm }]);
  const projects = distinct(wanted.projects ?? parseScope(secret, []).projects ?? []);
  const isReadable = wanted.kind === 'frontend' || keepsClientSecrets();
  return change(request, actor, {
    of: [tokenKeys.token(hashOf(secret))],
    read: () => Promise.all([tokens.find(request, hashOf(secret)), loadPlaces(request, projects)]),
    revisionOf: () => undefined,
    decide: ([known, places], at) => {
      const scope = scopeAmong(places, wanted, projects);
      const token = buildToken(secret, { ...wanted, ...scope, isReadable }, at);
      if (known !== undefined) {
        assertSame(known.value, token);
        return { ...noEffects, result: known.value };
      }
      assertKnown(scope, places);
      assertTokensFit(places);
      const { writes, events } = buildTokenCreation(token, 'retry');
      return { writes: [...placesAreThere(scope), ...writes], events, result: token };
    },
  });
}

const sdkForm =
  'The secret must be that of a token for SDKs: a project, "*" or "[]", then ":", an environment, "." and random characters; or 40 to 128 hexadecimal digits alone, as of old releases of Unleash.';

function scopeAmong({ environments }: Places, wanted: TokenInUse, projects: readonly string[]): TokenScope {
  const { environment = parseScope(wanted.secret, environments).environment } = wanted;
  const missing: ErrorDetail[] = [
    ...(projects.length > 0 ? [] : [{ message: 'The secret does not say which projects it is for: name them.' }]),
    ...(environment === undefined
      ? [{ message: 'The secret does not say which environment it is for: name it.' }]
      : []),
  ];
  if (environment === undefined || missing.length > 0) throw invalidRequest(missing);
  return { projects, environment };
}

function assertSame(known: Token, wanted: Token): void {
  const purposeOf = ({ kind, environment, projects = [] }: Token) => [kind, environment, ...projects.toSorted()].join();
  if (purposeOf(known) === purposeOf(wanted)) return;
  const message = `The token ${tokenIdOf(known.hash)} has this secret, and is for something else; revoke it first.`;
  throw new ApiError('NameExistsError', message);
}
