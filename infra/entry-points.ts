import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as registry from '../functions/index.ts';

const functions = fileURLToPath(new URL('../functions', import.meta.url));

/** The handler of requests that no endpoint takes. Without a method and a path, it is not in the registry. */
export const notFound = 'notFound';

/** The function that runs when deploying. It answers CloudFormation, not a caller, so it lies beside the stack. */
export const prepareStore = 'prepareStore';
const prepareStoreFile = fileURLToPath(new URL('functions/prepare-store.ts', import.meta.url));

/**
 * The file of each function by the function's name. An endpoint's file carries its operationId, so that the registry
 * is the only list.
 * @throws Error when there is not exactly one file of that name.
 */
export function entryPoints(): Record<string, string> {
  const files = Map.groupBy(globSync(`${functions}/*/*.ts`), (file) => basename(file, '.ts'));
  const ofCallers = Object.fromEntries(
    [...Object.keys(registry), notFound].map((name) => {
      const [file, another] = files.get(name) ?? [];
      if (file === undefined) throw new Error(`No file functions/*/${name}.ts holds the handler "${name}".`);
      if (another !== undefined) throw new Error(`Both ${file} and ${another} could hold the handler "${name}".`);
      return [name, file];
    }),
  );
  return { ...ofCallers, [prepareStore]: prepareStoreFile };
}
