/**
 * Prints a message for the person who started this process: as text, or with `LOG_FORMAT=json` as a JSON line like those of the log.
 * It is printed for every `LOG_LEVEL`, since it may be a password that is shown once.
 */
export function say(text: string, level: 'INFO' | 'WARN' | 'ERROR' = 'INFO'): void {
  const lines = process.env.LOG_FORMAT === 'json' ? text.split('\n').map((line) => toJson(line, level)) : [text];
  for (const line of lines) {
    if (level === 'INFO') console.log(line);
    else console.error(line);
  }
}

function toJson(message: string, level: string): string {
  return JSON.stringify({ level, message, timestamp: new Date().toISOString(), service: 'flagstaff' });
}

/** Prints warnings of Node and of libraries in the same format as other messages. */
export function printWarnings(): void {
  if (process.env.LOG_FORMAT !== 'json') return;
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => say(`${name}: ${message}`, 'WARN'));
}
