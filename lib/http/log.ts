const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'] as const;
type Level = Exclude<(typeof levels)[number], 'SILENT'>;

/** Whether `LOG_LEVEL` names a level. */
export function isLogLevel(text: string): boolean {
  return (levels as readonly string[]).includes(text.toUpperCase());
}

/** Writes one line of JSON, unless `LOG_LEVEL` (INFO by default) asks for less. */
export function log(level: Level, message: string, fields: Record<string, unknown>): void {
  const threshold = (process.env.LOG_LEVEL || 'INFO').toUpperCase();
  if (levels.indexOf(level) < levels.indexOf(threshold)) return;
  console.log(JSON.stringify({ level, message, timestamp: new Date().toISOString(), ...fields }));
}
