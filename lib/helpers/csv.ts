/** Formats a table as CSV (RFC 4180), with the names of the columns in the first line. */
export function formatCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(escapeField).join(',')}\r\n`).join('');
}

/** Escapes a field. An apostrophe keeps spreadsheets from running it as a formula. */
function escapeField(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
