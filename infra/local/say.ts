/**
 * Says something to whoever has started this process: as text, or with `LOG_FORMAT=json` in lines like all others, for
 * those who collect these. It is said whatever `LOG_LEVEL` is: it may be a password that is shown once.
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

/** Has warnings of Node and of libraries said like all else. */
export function sayWarnings(): void {
  if (process.env.LOG_FORMAT !== 'json') return;
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => say(`${name}: ${message}`, 'WARN'));
}
