import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Service } from './service.ts';

/** The way in which a client agrees with a server on a revision: it asks for the newest one, or begins with a handshake as in 2025. */
export type McpMode = 'auto' | 'legacy';

/** Connects the official client of MCP to a service in this process. */
export async function connectMcp(
  service: Service,
  { token = service.adminToken, mode = 'auto' }: { readonly token?: string; readonly mode?: McpMode } = {},
): Promise<Client & AsyncDisposable> {
  const fetch = async (url: string | URL, { method = 'GET', headers, body }: RequestInit = {}) => {
    const {
      status,
      headers: sent,
      text,
    } = await service.call(method, new URL(url).pathname, {
      token: null,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { body }),
    });
    return new Response(status === 202 ? null : text, { status, headers: sent });
  };
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch,
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
