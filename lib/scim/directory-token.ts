import { ApiError } from '../errors.ts';
import { hashOf, parseAuthorization } from '../identity/tokens/token.ts';
import { isScimToken, loadScimSettings, readScimSettings, scimConditionOf } from '../people/scim-settings.ts';
import type { Request } from '../request.ts';
import type { RightsCondition } from '../store/transactions/write.ts';
import type { Authority } from '../store/work.ts';

/** The directory that has sent a request. */
export interface Directory {
  readonly id: string;
  readonly secret: string;
  /** The condition of every change: the token is still that of the directory, and SCIM is still on. */
  readonly authority: Authority;
}

/**
 * Finds the directory whose token is in the `Authorization` header.
 * @throws ApiError 401 for another token, and while SCIM is off.
 */
export async function findDirectory(request: Request, authorization: string | undefined): Promise<Directory> {
  const secret = parseAuthorization(authorization);
  if (secret === undefined || !(await isScimToken(request, secret))) throw refusal();
  const condition = scimConditionOf(await loadScimSettings(request));
  return { id: 'scim', secret, authority: new DirectoryAuthority(request, hashOf(secret), condition) };
}

class DirectoryAuthority implements Authority {
  readonly #request: Request;
  readonly #hash: string;
  #condition: RightsCondition;

  constructor(request: Request, hash: string, condition: RightsCondition) {
    this.#request = request;
    this.#hash = hash;
    this.#condition = condition;
  }

  conditions(): readonly RightsCondition[] {
    return [this.#condition];
  }

  async renew(): Promise<void> {
    const { value: settings } = await readScimSettings(this.#request);
    if (!settings.enabled || settings.tokenHash !== this.#hash) throw refusal();
    this.#condition = scimConditionOf(settings);
  }

  noteWritten(): void {}
}

function refusal(): ApiError {
  return new ApiError(
    'AuthenticationRequired',
    'The SCIM token is required as "Authorization: Bearer TOKEN", and SCIM must be on.',
  );
}
