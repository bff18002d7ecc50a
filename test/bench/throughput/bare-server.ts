import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A process that answers everything alike, with the status and the headers that it is given as JSON, and says its port. */

const [status, headers = '{}'] = process.argv.slice(2);
const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
  response.writeHead(Number(status), sent).end();
});
const sent = JSON.parse(headers);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
