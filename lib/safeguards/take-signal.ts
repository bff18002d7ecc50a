import type { EnvironmentPath } from '../features/environments/change-environment.ts';
import { parseAuthorization } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { recordSignal } from './signals.ts';
import { watchNow } from './watch.ts';

/**
 * Takes a signal to a safeguard. It is stored first, so that the clock acts on it if this process dies.
 * @param authorization the header with the token.
 * @throws ApiError 401 for a wrong token and for an unknown safeguard alike; 429 for too many signals.
 */
export async function takeSignal(
  request: Request,
  { featureName, environment, id }: EnvironmentPath & { readonly id: string },
  authorization: string | undefined,
  signal: { readonly state: 'on' | 'off'; readonly reason: string },
): Promise<void> {
  const token = parseAuthorization(authorization);
  await recordSignal(request, { featureName, environment, safeguardId: id }, token, signal);
  if (signal.state === 'on') await watchNow(request, environment, featureName, new Date());
}
