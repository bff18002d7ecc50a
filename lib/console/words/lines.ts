/** Returns the lines of a text that have something in them, trimmed, each once. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
