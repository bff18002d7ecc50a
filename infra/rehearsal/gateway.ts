import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { RehearsalProblem } from './problem.ts';

/**
 * Returns the address where the emulator's API Gateway takes requests for an API, whose own address is
 * `http://<id>.execute-api.…`. That one works too (see `getByHost`), but whatever the host, the emulator answers
 * `/health` itself.
 */
export function gatewayUrl(endpoint: string, apiUrl: string): string {
  const [id] = new URL(apiUrl).hostname.split('.');
  return `${endpoint}/_aws/execute-api/${id}/$default`;
}

/**
 * Gets a JSON answer from an API under its own host name, as a client of AWS does.
 * @throws RehearsalProblem when it is answered with anything but 200.
 */
export async function getByHost(endpoint: string, apiUrl: string, path: string, token: string): Promise<unknown> {
  // Names below .localhost lead to this machine only where its resolver knows that, so the name goes in the header.
  const { host } = new URL(apiUrl);
  const sent = request(new URL(path, endpoint), { headers: { host, authorization: token } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(response);
  if (response.statusCode !== 200) {
    throw new RehearsalProblem(`${path} of ${host} answers ${response.statusCode}: ${body.slice(0, 500)}`);
  }
  return JSON.parse(body);
}
