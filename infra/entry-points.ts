import { fileURLToPath } from 'node:url';
import { functionOf, listEndpoints } from './deployed-endpoints.ts';
import type { StackSettings } from './settings.ts';

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

/** The prefix of the name of a function where that stands for the code that the function begins with. */
export const entryPrefix = 'function:';

/** The code of each function that is deployed, by the function's name. */
export function entryPoints(functions: StackSettings['functions'] = 'many'): Record<string, string> {
  const names = listEndpoints().map((endpoint) => functionOf(endpoint, functions));
  return {
    ...Object.fromEntries([...names, unroutedHandler].map((name) => [name, `${entryPrefix}${name}`])),
    [prepareStoreFunction]: prepareStoreFile,
    [sendFunction]: sendFile,
    [scheduleFunction]: scheduleFile,
  };
}
