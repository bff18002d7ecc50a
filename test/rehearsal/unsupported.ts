import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Resource types that the emulator cannot create. No other resource of the stack refers to one. */
export const unsupportedTypes: readonly string[] = ['AWS::Logs::MetricFilter'];

interface Template {
  readonly Resources: Record<string, { readonly Type: string }>;
}

/**
 * Removes the resources that the emulator does not support from all templates in a directory.
 * @returns the remaining templates, by file name.
 */
export async function removeUnsupported(directory: string): Promise<Map<string, string>> {
  const files = globSync(join(directory, '*.template.json')).toSorted();
  const templates = new Map<string, string>();
  for (const file of files) {
    const template: Template = JSON.parse(await readFile(file, 'utf8'));
    for (const [id, { Type }] of Object.entries(template.Resources)) {
      if (unsupportedTypes.includes(Type)) delete template.Resources[id];
    }
    const text = JSON.stringify(template, undefined, 1);
    await writeFile(file, text);
    templates.set(basename(file), text);
  }
  return templates;
}
