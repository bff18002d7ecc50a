import { Logger } from '@aws-lambda-powertools/logger';

const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'] as const;

type Level = (typeof levels)[number];

/** Whether `LOG_LEVEL` names a level. */
export function isLogLevel(text: string): boolean {
  return levels.some((level) => level === text.toUpperCase());
}

let opened: { readonly level: string; readonly logger: Logger } | undefined;

/** The logger for what `LOG_LEVEL` asks for, INFO by default; opened on first use. */
function openLogger(): Logger {
  const level = process.env.LOG_LEVEL || 'INFO';
  if (opened?.level !== level) {
    opened = { level, logger: new Logger({ serviceName: 'flagstaff', logLevel: level.toUpperCase() as Level }) };
  }
  return opened.logger;
}

/** The values that a line may have: no objects, since errors and requests of the SDK hold what was sent. */
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
  const logger = openLogger();
  if (level === 'ERROR') logger.error(message, fields);
  else if (level === 'WARN') logger.warn(message, fields);
  else logger.info(message, fields);
}
