import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deployedFolderOf, deploymentOf, fewFunctionOf } from '../functions/folders.ts';
import * as registry from '../functions/index.ts';
import type { StackSettings } from './settings.ts';

const directory = fileURLToPath(new URL('../functions', import.meta.url));

/** The handler of requests that no endpoint takes. Without a method and a path, it is not in the registry. */
export const unroutedHandler = 'notFound';

/** The function that runs when deploying. It answers CloudFormation, not a caller, so it lies beside the stack. */
export const prepareStoreFunction = 'prepareStore';
const prepareStoreFile = fileURLToPath(new URL('functions/prepare-store.ts', import.meta.url));

/** The function that sends events to integrations. The stream and the clock call it. */
export const sendFunction = 'send';
const sendFile = fileURLToPath(new URL('functions/send.ts', import.meta.url));

/** The function that applies scheduled change requests. The stream and the clock call it. */
export const scheduleFunction = 'applySchedules';
const scheduleFile = fileURLToPath(new URL('functions/apply-schedules.ts', import.meta.url));

/** The functions that answer no caller. */
export const backgroundFunctions = [prepareStoreFunction, sendFunction, scheduleFunction];

let found: Readonly<Record<string, string>> | undefined;

/**
 * The file of each handler by its name, looked for once. A file carries the operationId of its endpoint, or exports several
 * under theirs, so that the registry is the only list.
 * @throws Error when there is not exactly one file for that name.
 */
export function handlerFiles(): Readonly<Record<string, string>> {
  found ??= findHandlerFiles();
  return found;
}

function findHandlerFiles(): Record<string, string> {
  const handlers = globSync(`${directory}/*/*.ts`).flatMap((file) => namesIn(file).map((name) => ({ name, file })));
  const files = Map.groupBy(handlers, ({ name }) => name);
  return Object.fromEntries(
    [...Object.keys(registry), unroutedHandler].map((name) => {
      const [first, another] = files.get(name) ?? [];
      if (first === undefined) throw new Error(`No file of functions/ holds the handler "${name}".`);
      if (another !== undefined) {
        throw new Error(`Both ${first.file} and ${another.file} could hold the handler "${name}".`);
      }
      return [name, first.file];
    }),
  );
}

function namesIn(file: string): string[] {
  const several = [...readFileSync(file, 'utf8').matchAll(/^export const (\w+) = endpoint\(/gm)];
  const names = several.flatMap(([, name]) => (name === undefined || name === 'handler' ? [] : name));
  return names.length > 0 ? names : [basename(file, '.ts')];
}

/** The name under which the file of a handler exports it. */
export function exportOf(name: string, file: string): string {
  return basename(file, '.ts') === name ? 'handler' : name;
}

/** The folder of `functions/` with which a handler is deployed, nearly always that of its file. */
export function folderOf(name: string, file: string): string {
  return deployedFolderOf(name, basename(dirname(file)));
}

/** The prefix of the name of a function that several endpoints share, where that stands for its code. */
export const joinedPrefix = 'joined:';

/** The code of each function that is deployed, by the function's name: a handler's file, or what joins several. */
export function entryPoints(functions: StackSettings['functions'] = 'many'): Record<string, string> {
  const ofCallers = Object.entries(handlerFiles()).map(([name, file]) => {
    const folder = folderOf(name, file);
    if (name === unroutedHandler || (functions === 'many' && deploymentOf(folder) === 'apart')) {
      if (exportOf(name, file) !== 'handler')
        throw new Error(`"${name}" is deployed apart, and needs a file of its own.`);
      return [name, file];
    }
    const joined = functions === 'few' ? fewFunctionOf(folder) : folder;
    return [joined, `${joinedPrefix}${joined}`];
  });
  return {
    ...Object.fromEntries(ofCallers),
    [prepareStoreFunction]: prepareStoreFile,
    [sendFunction]: sendFile,
    [scheduleFunction]: scheduleFile,
  };
}
