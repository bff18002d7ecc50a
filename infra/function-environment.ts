import type { Construct } from 'constructs';
import { trustedProxies } from '../lib/http/caller-address.ts';
import type { Variable } from '../lib/http/declaration.ts';
import { bodyLimitBytes } from '../lib/http/limits.ts';
import { isLogLevel } from '../lib/http/log.ts';
import { frontendOrigins } from '../lib/http/origins.ts';
import { requireAllowedHosts } from '../lib/integrations/sending/gate.ts';
import { limits } from '../lib/limits.ts';
import { deployedConsole } from './console/deploy-console.ts';
import { type ChoiceName, choiceOf, type StackSettings } from './settings.ts';

export interface EnvironmentProps {
  readonly tableName: string;
  /** The group under which the metrics of its requests are counted. */
  readonly group: string;
  readonly settings: Pick<StackSettings, 'metricsNamespace' | 'console' | 'emailSender' | 'publicUrl'>;
  /** The variables that its endpoints name. */
  readonly reads: readonly Variable[];
  /** The methods of its path, for a function that gets requests of all of them. */
  readonly allow?: string | undefined;
}

/**
 * The variables that a function reads. Those that are empty stand for their defaults; they are there because
 * `sam local` overrides only what is declared. `-c LOG_LEVEL=DEBUG` and its like set another value when deploying.
 * @throws Error when a value is not one that the functions accept.
 */
export function variablesOf(
  scope: Construct,
  { tableName, group, settings, reads, allow }: EnvironmentProps,
): Record<string, string> {
  /** Returns the value of a choice, if the functions that read it accept it. */
  const chosen = (variable: ChoiceName, read: (environment: Record<string, string>) => unknown) => {
    const text = choiceOf(scope, variable) ?? '';
    read({ [variable]: text });
    return text;
  };
  const ofSome: Readonly<Record<Variable, string>> = {
    API_TOKENS_LIMIT: chosen('API_TOKENS_LIMIT', limits.API_TOKENS_LIMIT),
    PROJECT_FEATURES_LIMIT: chosen('PROJECT_FEATURES_LIMIT', limits.PROJECT_FEATURES_LIMIT),
    PROJECT_FEATURES_WARNING: chosen('PROJECT_FEATURES_WARNING', limits.PROJECT_FEATURES_WARNING),
    READABLE_CLIENT_TOKENS: chosen('readableClientTokens', assertYesOrNo),
    IMPORT_BODY_LIMIT_BYTES: chosen('IMPORT_BODY_LIMIT_BYTES', (environment) =>
      bodyLimitBytes(environment, 'IMPORT_BODY_LIMIT_BYTES'),
    ),
    EMAIL_SENDER: settings.emailSender ?? '',
    CONSOLE_DIRECTORY: settings.console ? deployedConsole : '',
    INTEGRATION_ALLOWED_HOSTS: chosen('INTEGRATION_ALLOWED_HOSTS', requireAllowedHosts),
    INTEGRATION_DAILY_LIMIT: chosen('INTEGRATION_DAILY_LIMIT', limits.INTEGRATION_DAILY_LIMIT),
  };
  return {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: '',
    // Without it, API Gateway says by which domain it was asked.
    PUBLIC_URL: settings.publicUrl ?? '',
    LOG_LEVEL: chosen('LOG_LEVEL', assertLevel),
    METRICS_NAMESPACE: settings.metricsNamespace,
    METRICS_GROUP: group,
    BODY_LIMIT_BYTES: chosen('BODY_LIMIT_BYTES', bodyLimitBytes),
    FRONTEND_API_ORIGINS: chosen('FRONTEND_API_ORIGINS', frontendOrigins),
    TRUSTED_PROXIES: chosen('TRUSTED_PROXIES', trustedProxies),
    ...Object.fromEntries(reads.map((variable) => [variable, ofSome[variable]])),
    ...(allow && { ALLOW: allow }),
  };
}

function assertLevel({ LOG_LEVEL = '' }: Record<string, string>): void {
  if (LOG_LEVEL !== '' && !isLogLevel(LOG_LEVEL)) throw new Error(`LOG_LEVEL "${LOG_LEVEL}" is not a level.`);
}

function assertYesOrNo({ readableClientTokens = '' }: Record<string, string>): void {
  if (['', 'true', 'false'].includes(readableClientTokens)) return;
  throw new Error(`readableClientTokens is true or false, not "${readableClientTokens}".`);
}
