import type { Construct } from 'constructs';
import type { Variable } from '../lib/http/declaration.ts';
import { isLogLevel } from '../lib/http/log.ts';
import { deployedConsole } from './console/deploy-console.ts';
import { type ChoiceName, choiceOf, type StackSettings } from './settings.ts';
import { byReadVariable, variableReaders } from './variable-readers.ts';

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
  const { BODY_LIMIT_BYTES, FRONTEND_API_ORIGINS, TRUSTED_PROXIES, ...others } = byReadVariable((variable) =>
    chosen(variable, variableReaders[variable]),
  );
  const ofSome: Readonly<Record<Variable, string>> = {
    ...others,
    READABLE_CLIENT_TOKENS: chosen('readableClientTokens', assertYesOrNo),
    EMAIL_SENDER: settings.emailSender ?? '',
    CONSOLE_DIRECTORY: settings.console ? deployedConsole : '',
    FLAGSTAFF_COMMIT: process.env.FLAGSTAFF_COMMIT ?? '',
  };
  return {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: '',
    // Without it, API Gateway says by which domain it was asked.
    PUBLIC_URL: settings.publicUrl ?? '',
    LOG_LEVEL: chosen('LOG_LEVEL', assertLevel),
    METRICS_NAMESPACE: settings.metricsNamespace,
    METRICS_GROUP: group,
    ...{ BODY_LIMIT_BYTES, FRONTEND_API_ORIGINS, TRUSTED_PROXIES },
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
