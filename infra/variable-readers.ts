import { countTrustedProxies } from '../lib/http/caller-address.ts';
import { bodyLimitBytes } from '../lib/http/limits.ts';
import { frontendOrigins } from '../lib/http/origins.ts';
import { requireAllowedHosts } from '../lib/integrations/sending/address-rules.ts';
import { limits } from '../lib/limits.ts';

/** Environment variables as a reader gets them. */
type Environment = Record<string, string>;

/**
 * Readers of the environment variables that the functions read. Each throws an Error for a value that it does not accept, so that
 * a wrong value shows when a server starts, or before a deployment.
 */
export const variableReaders = {
  ...limits,
  BODY_LIMIT_BYTES: (environment: Environment) => bodyLimitBytes(environment),
  IMPORT_BODY_LIMIT_BYTES: (environment: Environment) => bodyLimitBytes(environment, 'IMPORT_BODY_LIMIT_BYTES'),
  FRONTEND_API_ORIGINS: frontendOrigins,
  TRUSTED_PROXIES: countTrustedProxies,
  INTEGRATION_ALLOWED_HOSTS: requireAllowedHosts,
} as const;

export type ReadVariable = keyof typeof variableReaders;

export const readVariables = Object.keys(variableReaders) as readonly ReadVariable[];

/** Returns an object with a value for each of these variables. */
export function mapReadVariables<T>(build: (variable: ReadVariable) => T): Record<ReadVariable, T> {
  return Object.fromEntries(readVariables.map((variable) => [variable, build(variable)])) as Record<ReadVariable, T>;
}
