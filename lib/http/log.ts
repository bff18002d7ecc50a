/** From the least to the most that is kept back. */
const levels: readonly string[] = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'SILENT'];

/** Whether `LOG_LEVEL` names a level. */
export function isLogLevel(text: string): boolean {
  return levels.includes(text.toUpperCase());
}

/** Writes one line of JSON, unless `LOG_LEVEL` (INFO by default) asks for less. */
export function log(level: 'INFO' | 'ERROR', message: string, fields: Record<string, unknown>): void {
  const threshold = (process.env.LOG_LEVEL || 'INFO').toUpperCase();
  if (levels.indexOf(level) < levels.indexOf(threshold)) return;
  console.log(JSON.stringify({ level, message, timestamp: new Date().toISOString(), ...fields }));
}
