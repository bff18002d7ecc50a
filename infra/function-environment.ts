import type { Construct } from 'constructs';
import type { Declaration } from '../lib/http/declaration.ts';
import { bodyLimitBytes } from '../lib/http/limits.ts';
import { isLogLevel } from '../lib/http/log.ts';

/**
 * The variables that a function reads. Those that are empty stand for their defaults; they are there because
 * `sam local` overrides only what is declared. `-c LOG_LEVEL=DEBUG` and its like set another value when deploying.
 * @param allow the methods of its path, for a function that gets requests of all of them.
 * @throws Error when a value is not one that the functions accept.
 */
export function environmentOf(
  scope: Construct,
  tableName: string,
  { body, bodyLimitVariable }: Pick<Declaration, 'body' | 'bodyLimitVariable'> = {},
  allow?: string,
): Record<string, string> {
  const chosen = (variable: string) => String(scope.node.tryGetContext(variable) ?? '');
  const LOG_LEVEL = chosen('LOG_LEVEL');
  if (LOG_LEVEL !== '' && !isLogLevel(LOG_LEVEL)) throw new Error(`LOG_LEVEL "${LOG_LEVEL}" is not a level.`);
  const limits: Record<string, string> = {};
  if (body !== undefined) {
    limits.BODY_LIMIT_BYTES = chosen('BODY_LIMIT_BYTES');
    if (bodyLimitVariable !== undefined) limits[bodyLimitVariable] = chosen(bodyLimitVariable);
    bodyLimitBytes(limits, bodyLimitVariable);
  }
  return { TABLE_NAME: tableName, DYNAMODB_ENDPOINT: '', LOG_LEVEL, ...limits, ...(allow && { ALLOW: allow }) };
}
