import { Logger } from '@aws-lambda-powertools/logger';

const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'] as const;

type Level = (typeof levels)[number];

/** Returns true if a text is a valid value of `LOG_LEVEL`. */
export function isLogLevel(text: string): boolean {
  return levels.some((level) => level === text.toUpperCase());
}

/**
 * Returns true if `LOG_LEVEL` includes a level; it is INFO by default. Without this check, the logger would use the level of Lambda's
 * own filter, which includes everything.
 */
function isEnabled(level: Level): boolean {
  const minimum = (process.env.LOG_LEVEL || 'INFO').toUpperCase() as Level;
  return levels.indexOf(level) >= levels.indexOf(minimum);
}

let opened: Logger | undefined;

/** Opens the logger on first use. */
function openLogger(): Logger {
  opened ??= new Logger({ serviceName: 'flagstaff', logLevel: 'DEBUG' });
  return opened;
}

/** The values of a line. Objects are not allowed, since errors and requests of the SDK contain input of callers. */
type Fields = Readonly<Record<string, string | number | undefined>>;

/**
 * Writes a line of JSON. With `LOG_FORMAT=text`, writes only the stacks of failed requests, since the local server prints a line for
 * each request.
 */
export function log(level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: Fields): void {
  if (process.env.LOG_FORMAT === 'text') {
    if (fields.stack !== undefined && process.env.LOG_LEVEL !== 'SILENT')
      console.error(`${fields.requestId}: ${fields.stack}`);
    return;
  }
  if (!isEnabled(level)) return;
  const logger = openLogger();
  if (level === 'ERROR') logger.error(message, fields);
  else if (level === 'WARN') logger.warn(message, fields);
  else logger.info(message, fields);
}
