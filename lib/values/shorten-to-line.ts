/** Shortens text that a person chose to one line of at most 100 characters, so that it cannot look like the text around it. */
export function shortenToLine(text = ''): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 100);
}
