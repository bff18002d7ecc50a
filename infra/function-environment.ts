import type { Construct } from 'constructs';
import type { Variable } from '../lib/http/declaration.ts';
import { isLogLevel } from '../lib/http/log.ts';
import { deployedConsole } from './console/add-console.ts';
import { type ChoiceName, choiceOf, type StackSettings } from './settings.ts';
import { mapReadVariables, variableReaders } from './variable-readers.ts';

export interface EnvironmentProps {
  readonly tableName: string;
  /** The group of its metrics. */
  readonly group: string;
  readonly settings: Pick<
    StackSettings,
    'metricsNamespace' | 'console' | 'emailSender' | 'smtpParameter' | 'publicUrl'
  >;
  /** The variables that its endpoints declare. */
  readonly reads: readonly Variable[];
  /** The allowed methods of its path, for a function that gets all methods. */
  readonly allow?: string | undefined;
}

/**
 * Returns the environment variables of a function. An empty value means the default; the variable is there because `sam local`
 * only overrides variables that the template declares. A deployment sets others with `-c LOG_LEVEL=DEBUG` and the like.
 * @throws Error for a value that the functions do not accept.
 */
export function variablesOf(
  scope: Construct,
  { tableName, group, settings, reads, allow }: EnvironmentProps,
): Record<string, string> {
  /** Returns the value of a setting, after a check by the function that reads it. */
  const checkedValueOf = (variable: ChoiceName, read: (environment: Record<string, string>) => unknown) => {
    const text = choiceOf(scope, variable) ?? '';
    read({ [variable]: text });
    return text;
  };
  const { BODY_LIMIT_BYTES, FRONTEND_API_ORIGINS, TRUSTED_PROXIES, ...others } = mapReadVariables((variable) =>
    checkedValueOf(variable, variableReaders[variable]),
  );
  const declarable: Readonly<Record<Variable, string>> = {
    ...others,
    READABLE_CLIENT_TOKENS: checkedValueOf('readableClientTokens', assertYesOrNo),
    EMAIL_SENDER: settings.emailSender ?? '',
    SMTP_PARAMETER: settings.smtpParameter ?? '',
    CONSOLE: settings.console,
    CONSOLE_DIRECTORY: settings.console === 'off' ? '' : deployedConsole,
    FLAGSTAFF_COMMIT: process.env.FLAGSTAFF_COMMIT ?? '',
  };
  return {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: '',
    // If it is empty, the domain of each request is used.
    PUBLIC_URL: settings.publicUrl ?? '',
    LOG_LEVEL: checkedValueOf('LOG_LEVEL', assertLevel),
    METRICS_NAMESPACE: settings.metricsNamespace,
    METRICS_GROUP: group,
    ...{ BODY_LIMIT_BYTES, FRONTEND_API_ORIGINS, TRUSTED_PROXIES },
    ...Object.fromEntries(reads.map((variable) => [variable, declarable[variable]])),
    ...(allow && { ALLOW: allow }),
  };
}

function assertLevel({ LOG_LEVEL = '' }: Record<string, string>): void {
  if (LOG_LEVEL !== '' && !isLogLevel(LOG_LEVEL)) throw new Error(`LOG_LEVEL "${LOG_LEVEL}" is not a log level.`);
}

function assertYesOrNo({ readableClientTokens = '' }: Record<string, string>): void {
  if (['', 'true', 'false'].includes(readableClientTokens)) return;
  throw new Error(`readableClientTokens must be true or false, not "${readableClientTokens}".`);
}
