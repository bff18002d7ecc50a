import { Logger } from '@aws-lambda-powertools/logger';

const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'] as const;

type Level = (typeof levels)[number];

/** Tells whether a text is a level that `LOG_LEVEL` can name. */
export function isLogLevel(text: string): boolean {
  return levels.some((level) => level === text.toUpperCase());
}

/**
 * Tells whether `LOG_LEVEL` lets lines of a level through; INFO and above by default. Without this check the logger
 * would follow the level of Lambda's own filter, which lets everything through.
 */
function isWanted(level: Level): boolean {
  const least = (process.env.LOG_LEVEL || 'INFO').toUpperCase() as Level;
  return levels.indexOf(level) >= levels.indexOf(least);
}

let opened: Logger | undefined;

/** Opens the logger on first use. */
function openLogger(): Logger {
  opened ??= new Logger({ serviceName: 'flagstaff', logLevel: 'DEBUG' });
  return opened;
}

/** Values that a line may have: no objects, since errors and requests of the SDK contain input. */
type Fields = Readonly<Record<string, string | number | undefined>>;

/**
 * Writes one line of JSON. With `LOG_FORMAT=text` it writes only why a request failed, for a person to read, who learns
 * of all others from the local server.
 */
export function log(level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: Fields): void {
  if (process.env.LOG_FORMAT === 'text') {
    if (fields.stack !== undefined && process.env.LOG_LEVEL !== 'SILENT')
      console.error(`${fields.requestId}: ${fields.stack}`);
    return;
  }
  if (!isWanted(level)) return;
  const logger = openLogger();
  if (level === 'ERROR') logger.error(message, fields);
  else if (level === 'WARN') logger.warn(message, fields);
  else logger.info(message, fields);
}
