/**
 * The registry: one line per endpoint, exported under its operationId. The local server, the stack, the OpenAPI
 * document and the tests of what all endpoints share go through this list.
 */
export { handler as getAllEnvironments } from './environments/getAllEnvironments.ts';
export { handler as getHealth } from './service/getHealth.ts';
