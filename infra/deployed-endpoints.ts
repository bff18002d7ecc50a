import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deploymentOf, fewFunctionOf, folderOfDeployment } from '../functions/folders.ts';
import * as registry from '../functions/index.ts';
import type { Declaration, Endpoint } from '../lib/http/declaration.ts';
import type { StackSettings } from './settings.ts';

const directory = fileURLToPath(new URL('../functions', import.meta.url));

let files: ReadonlyMap<string, string> | undefined;

/**
 * Returns the file of `functions/` that exports a handler under its name. All are looked for once, so that the registry is
 * the only list.
 * @throws Error when there is none.
 */
export function handlerFile(name: string): string {
  files ??= new Map(globSync(`${directory}/*/*.ts`).flatMap((file) => exportsOf(file).map((each) => [each, file])));
  const file = files.get(name);
  if (file === undefined) throw new Error(`No file of functions/ exports the handler "${name}".`);
  return file;
}

function exportsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
}

/** All that the stack asks of an endpoint. */
export interface DeployedEndpoint {
  readonly operationId: string;
  /** The folder of `functions/` with which it is deployed, nearly always that of its file. */
  readonly folder: string;
  readonly declaration: Declaration;
}

/** The endpoints of the registry. */
export function listEndpoints(): DeployedEndpoint[] {
  return Object.entries<Endpoint>(registry).map(([operationId, { declaration }]) => ({
    operationId,
    folder: folderOfDeployment(operationId, basename(dirname(handlerFile(operationId)))),
    declaration,
  }));
}

/** The name of the function that an endpoint is, or is a part of. */
export function functionOf(
  { operationId, folder }: Pick<DeployedEndpoint, 'operationId' | 'folder'>,
  functions: StackSettings['functions'] = 'many',
): string {
  if (functions === 'few') return fewFunctionOf(folder);
  return deploymentOf(folder) === 'apart' ? operationId : folder;
}
