import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { RehearsalProblem } from './processes.ts';

/**
 * Returns the address of an API at the emulator. The API's own address, `http://<id>.execute-api.…`, works too (see
 * `getByHost`), except for `/health`, which the emulator answers itself for every host.
 */
export function gatewayUrl(endpoint: string, apiUrl: string): string {
  const [id] = new URL(apiUrl).hostname.split('.');
  return `${endpoint}/_aws/execute-api/${id}/$default`;
}

/**
 * Sends a GET to an API under its own host name, as a client of AWS does, and returns the JSON of the answer.
 * @throws RehearsalProblem if the status is not 200.
 */
export async function getByHost(endpoint: string, apiUrl: string, path: string, token: string): Promise<unknown> {
  // Not every resolver maps names below .localhost to this machine, so the host name is sent in the header only.
  const { host } = new URL(apiUrl);
  const outgoing = request(new URL(path, endpoint), { headers: { host, authorization: token } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = await text(response);
  if (response.statusCode !== 200) {
    throw new RehearsalProblem(`${path} of ${host} answers ${response.statusCode}: ${body.slice(0, 500)}`);
  }
  return JSON.parse(body);
}
