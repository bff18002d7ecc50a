/** Splits a text into its entries: one a line, or with commas between them; each once. */
export function splitLines(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[\n,]/)
        .map((line) => line.trim())
        .filter(Boolean),
    ),
  ];
}
