import { fileURLToPath } from 'node:url';
import { functionOf, listEndpoints } from './deployed-endpoints.ts';
import type { StackSettings } from './settings.ts';

/** The handler of requests that match no endpoint. It has no method and no path, so it is not in the registry. */
export const unroutedHandler = 'notFound';

/** The function that runs during a deployment. CloudFormation calls it, so it is in infra/ and not in functions/. */
export const prepareStoreFunction = 'prepareStore';
const prepareStoreFile = fileURLToPath(new URL('functions/prepare-store.ts', import.meta.url));

/** The function that sends events to integrations. The stream and the clock call it. */
export const sendFunction = 'send';
const sendFile = fileURLToPath(new URL('functions/send.ts', import.meta.url));

/** The function that does the work of the clock: it applies scheduled change requests, for example. The stream and the clock call it. */
export const clockFunction = 'runClock';
const clockFile = fileURLToPath(new URL('functions/run-clock.ts', import.meta.url));

/** The prefix of an entry point that is generated: the code that exports the endpoints of a function. */
export const entryPrefix = 'function:';

/** Returns the entry point of each deployed function, by the function's name. */
export function listEntryPoints(functions: StackSettings['functions'] = 'many'): Record<string, string> {
  const names = listEndpoints().map((endpoint) => functionOf(endpoint, functions));
  return {
    ...Object.fromEntries([...names, unroutedHandler].map((name) => [name, `${entryPrefix}${name}`])),
    [prepareStoreFunction]: prepareStoreFile,
    [sendFunction]: sendFile,
    [clockFunction]: clockFile,
  };
}
