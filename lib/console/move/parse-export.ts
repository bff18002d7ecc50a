/** The content of a file to import, or the reason why it is none. */
export interface ParsedExport {
  readonly data?: object;
  /** The number of flags in the file. */
  readonly flags: number;
  readonly problem?: string;
}

/** Parses a file that an export has written; the service checks its content later. */
export function parseExport(text: string): ParsedExport {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return { flags: 0, problem: 'This is no JSON.' };
  }
  const features = typeof data === 'object' && data !== null ? (data as { features?: unknown }).features : undefined;
  if (!Array.isArray(features)) return { flags: 0, problem: 'This is no export: it has no list of features.' };
  return { data: data as object, flags: features.length };
}
