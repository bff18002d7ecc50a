import { change } from '../entity/change.ts';
import { noEffects } from '../entity/effects.ts';
import { type ErrorDetail, invalidRequest } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import * as tokenKeys from '../identity/tokens/keys.ts';
import { hashOf, isAdminSecret, isSdkSecret, parseScope } from '../identity/tokens/token.ts';
import { buildToken, buildTokenCreation, type Token, tokens } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';
import { assertPlacesExist, kindOfType, loadPlaces } from './api-tokens.ts';
import { keepsClientSecrets } from './readable-secrets.ts';

/** Tokens from the settings of the service, which exist from its start on. */
export interface InitTokens {
  readonly adminTokens: readonly string[];
  readonly clientTokens?: readonly string[] | undefined;
  /** Client tokens, too, but shown as backend tokens. */
  readonly backendTokens?: readonly string[] | undefined;
  readonly frontendTokens?: readonly string[] | undefined;
}

const initTokenName = 'admin';

/** @throws ApiError 400 that says which secrets are invalid, without showing them. */
export function assertInitTokens({
  adminTokens,
  clientTokens = [],
  backendTokens = [],
  frontendTokens = [],
}: InitTokens): void {
  const problems: ErrorDetail[] = [
    ...problemsOf('Admin token', adminTokens, isAdminSecret, 'an admin token is "*:*." and a secret'),
    ...problemsOf('Client token', clientTokens, isSdkSecret, sdkForm),
    ...problemsOf('Backend token', backendTokens, isSdkSecret, sdkForm),
    ...problemsOf('Frontend token', frontendTokens, isSdkSecret, sdkForm),
    ...problemsOf(
      'Frontend token',
      frontendTokens,
      (secret) => !clientTokens.includes(secret) && !backendTokens.includes(secret),
      'it is a client token, too',
    ),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
}

const sdkForm = 'it must be a project or "*", then ":", an environment, "." and a secret';

function problemsOf(kind: string, secrets: readonly string[], isValid: (secret: string) => boolean, rule: string) {
  return secrets.flatMap((secret, index) =>
    isValid(secret) ? [] : [{ message: `${kind} ${index + 1} is invalid: ${rule}.` }],
  );
}

/**
 * Adds the tokens that are missing. Several processes may do so at the same time.
 * @throws ApiError 404 for a token of an unknown project or environment; the tokens before it are added.
 */
export async function addInitTokens(
  request: Request,
  { adminTokens, clientTokens = [], backendTokens = [], frontendTokens = [] }: InitTokens,
): Promise<void> {
  for (const secret of new Set(adminTokens)) {
    await addMissing(request, secret, (at) => buildToken(secret, { kind: 'admin', name: initTokenName }, at));
  }
  const sdkTokens = { client: clientTokens, backend: backendTokens, frontend: frontendTokens };
  for (const type of ['client', 'backend', 'frontend'] as const) {
    for (const secret of sdkTokens[type]) await addSdkToken(request, kindOfType(type), secret);
  }
}

async function addSdkToken(request: Request, kind: ReturnType<typeof kindOfType>, secret: string): Promise<void> {
  if ((await tokens.find(request, hashOf(secret))) !== undefined) return;
  const { projects = [] } = parseScope(secret, []);
  const places = await loadPlaces(request, projects);
  const { environment = '' } = parseScope(secret, places.environments);
  const scope = { projects, environment };
  assertPlacesExist(scope, places);
  const isReadable = kind.kind === 'frontend' || keepsClientSecrets();
  await addMissing(request, secret, (at) =>
    buildToken(secret, { ...kind, name: initTokenName, ...scope, isReadable }, at),
  );
}

async function addMissing(request: Request, secret: string, build: (at: string) => Token): Promise<void> {
  await change(request, systemUser, {
    items: [tokenKeys.token(hashOf(secret))],
    read: () => tokens.find(request, hashOf(secret)),
    revisionOf: () => undefined,
    decide: (existing, at) =>
      existing === undefined
        ? { ...buildTokenCreation(build(at), 'retry'), result: undefined }
        : { ...noEffects, result: undefined },
  });
}
