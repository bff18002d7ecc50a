import { deploymentOf, fewFunctionOf } from '../functions/folders.ts';
import * as registry from '../functions/index.ts';
import type { Declaration, Endpoint } from '../lib/http/declaration.ts';
import { folderOf, handlerFiles } from './entry-points.ts';
import type { StackSettings } from './settings.ts';

/** All that the stack asks of an endpoint. */
export interface DeployedEndpoint {
  readonly operationId: string;
  /** The folder of `functions/` with which it is deployed, nearly always that of its file. */
  readonly folder: string;
  readonly declaration: Declaration;
}

/** The endpoints of the registry. */
export function deployedEndpoints(): DeployedEndpoint[] {
  const files = handlerFiles();
  return Object.entries<Endpoint>(registry).map(([operationId, { declaration }]) => ({
    operationId,
    folder: folderOf(operationId, files[operationId] ?? ''),
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
