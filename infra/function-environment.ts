import type { Construct } from 'constructs';
import type { Declaration } from '../lib/http/declaration.ts';
import { bodyLimitBytes } from '../lib/http/limits.ts';
import { isLogLevel } from '../lib/http/log.ts';
import { frontendOrigins } from '../lib/http/origins.ts';
import { limitNames, limitOf } from '../lib/limits.ts';
import { deployedConsole } from './console/deploy-console.ts';
import { notFound } from './entry-points.ts';
import { type ChoiceName, choiceOf, type Settings } from './settings.ts';

export interface EnvironmentProps {
  readonly tableName: string;
  /** What the metrics of its requests are counted under. */
  readonly group: string;
  readonly settings: Pick<Settings, 'metricsNamespace' | 'console'> & Partial<Pick<Settings, 'emailSender'>>;
  readonly declaration?: Pick<Declaration, 'body' | 'bodyLimitVariable' | 'audience' | 'sendsMail'> | undefined;
  /** The methods of its path, for a function that gets requests of all of them. */
  readonly allow?: string | undefined;
}

/** Who creates what is limited, and who says how much there may be. */
const limitedGroups = ['features', 'imports', 'settings', 'tokens'];

/** Who answers the console, and who links it. */
const consoleGroups = [notFound, 'service'];

/**
 * The variables that a function reads. Those that are empty stand for their defaults; they are there because
 * `sam local` overrides only what is declared. `-c LOG_LEVEL=DEBUG` and its like set another value when deploying.
 * @throws Error when a value is not one that the functions accept.
 */
export function environmentOf(
  scope: Construct,
  {
    tableName,
    group,
    settings,
    declaration: { body, bodyLimitVariable, audience, sendsMail } = {},
    allow,
  }: EnvironmentProps,
): Record<string, string> {
  const chosen = (variable: ChoiceName) => choiceOf(scope, variable) ?? '';
  const LOG_LEVEL = chosen('LOG_LEVEL');
  if (LOG_LEVEL !== '' && !isLogLevel(LOG_LEVEL)) throw new Error(`LOG_LEVEL "${LOG_LEVEL}" is not a level.`);
  const limits: Record<string, string> = {};
  if (body !== undefined) {
    limits.BODY_LIMIT_BYTES = chosen('BODY_LIMIT_BYTES');
    if (bodyLimitVariable !== undefined) limits[bodyLimitVariable] = chosen(bodyLimitVariable);
    bodyLimitBytes(limits, bodyLimitVariable);
  }
  if (limitedGroups.includes(group)) {
    for (const name of limitNames) {
      limits[name] = chosen(name);
      limitOf(name, limits);
    }
  }
  const readable = chosen('readableClientTokens');
  if (!['', 'true', 'false'].includes(readable)) {
    throw new Error(`readableClientTokens is true or false, not "${readable}".`);
  }
  const origins: Record<string, string> = {};
  if (audience === 'frontend' || audience === 'evaluation') {
    origins.FRONTEND_API_ORIGINS = chosen('FRONTEND_API_ORIGINS');
    frontendOrigins(origins);
  }
  const metrics = { METRICS_NAMESPACE: settings.metricsNamespace, METRICS_GROUP: group };
  return {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: '',
    LOG_LEVEL,
    ...metrics,
    ...limits,
    ...(group === 'tokens' && { READABLE_CLIENT_TOKENS: readable }),
    ...origins,
    // The settings of the admin UI say whether mails are sent.
    ...((sendsMail || group === 'settings') && { EMAIL_SENDER: settings.emailSender ?? '' }),
    ...(settings.console && consoleGroups.includes(group) && { CONSOLE_DIRECTORY: deployedConsole }),
    ...(allow && { ALLOW: allow }),
  };
}
