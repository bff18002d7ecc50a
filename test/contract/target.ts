/** A running service, and what its clients need to know. */
export interface Target {
  /** Its address, without a slash at the end. */
  readonly url: string;
  /** The name that the service goes by when its address is another one. */
  readonly host: string | undefined;
  readonly adminToken: string;
  /** A token of a user with the root role Viewer. */
  readonly viewerToken: string;
}

/**
 * The service that `CONTRACT_URL` names, its tokens being `CONTRACT_ADMIN_TOKEN` and `CONTRACT_VIEWER_TOKEN`; undefined
 * when the environment names none. `CONTRACT_HOST` is the host header, where the address is not the service's own.
 * @throws Error when a part of this is missing.
 */
export function targetIn(environment: NodeJS.ProcessEnv): Target | undefined {
  const { CONTRACT_URL, CONTRACT_HOST, CONTRACT_ADMIN_TOKEN, CONTRACT_VIEWER_TOKEN } = environment;
  if (!CONTRACT_URL) return undefined;
  if (!CONTRACT_ADMIN_TOKEN || !CONTRACT_VIEWER_TOKEN) {
    throw new Error('CONTRACT_URL goes together with CONTRACT_ADMIN_TOKEN and CONTRACT_VIEWER_TOKEN.');
  }
  return {
    url: CONTRACT_URL.replace(/\/$/, ''),
    host: CONTRACT_HOST || undefined,
    adminToken: CONTRACT_ADMIN_TOKEN,
    viewerToken: CONTRACT_VIEWER_TOKEN,
  };
}
