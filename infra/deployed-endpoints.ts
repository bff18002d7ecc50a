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
 * Returns the file of `functions/` that exports a handler. The first call reads all files, so that the registry is the only list.
 * @throws Error if no file exports it.
 */
export function handlerFile(name: string): string {
  files ??= new Map(
    globSync(`${directory}/*/*.ts`).flatMap((file) => exportsOf(file).map((exported) => [exported, file])),
  );
  const file = files.get(name);
  if (file === undefined) throw new Error(`No file of functions/ exports the handler "${name}".`);
  return file;
}

function exportsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
}

/** The properties of an endpoint that the stack needs. */
export interface DeployedEndpoint {
  readonly operationId: string;
  /** The folder of `functions/` with which it is deployed, usually that of its file. */
  readonly folder: string;
  readonly declaration: Declaration;
}

/** Lists the endpoints of the registry that functions can serve. */
export function listEndpoints(): DeployedEndpoint[] {
  const endpoints = Object.entries<Endpoint>(registry).filter(([, { declaration }]) => !declaration.streams);
  return endpoints.map(([operationId, { declaration }]) => ({
    operationId,
    folder: folderOfDeployment(operationId, basename(dirname(handlerFile(operationId)))),
    declaration,
  }));
}

/** Returns the name of the Lambda function that serves an endpoint. */
export function functionOf(
  { operationId, folder }: Pick<DeployedEndpoint, 'operationId' | 'folder'>,
  functions: StackSettings['functions'] = 'many',
): string {
  if (functions === 'few') return fewFunctionOf(folder);
  return deploymentOf(folder) === 'apart' ? operationId : folder;
}
