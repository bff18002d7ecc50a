import { ApiError } from '../../lib/errors.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { answerMessage } from '../../lib/http/mcp/answer-message.ts';
import { rpcMessage, rpcReply } from '../../lib/http/mcp/message-schema.ts';
import type { McpServer } from '../../lib/http/mcp/server.ts';
import { isRemoteMcpOn, readRemoteMcp, setRemoteMcp } from '../../lib/settings/remote-mcp.ts';
import { boolean, object } from '../../lib/values/primitives.ts';
import { findFlags } from './tools/find-flags.ts';
import { getFlag } from './tools/get-flag.ts';
import { getHistory } from './tools/get-history.ts';
import { proposeChange } from './tools/propose-change.ts';
import { reviseProposal } from './tools/revise-proposal.ts';
import { submitProposal } from './tools/submit-proposal.ts';
import { withdrawProposal } from './tools/withdraw-proposal.ts';

const server: McpServer = {
  instructions:
    'Flagstaff is a feature-flag service. Find flags with find_flags, then read one with get_flag before you say anything about it. You cannot change a flag: propose a change with propose_change, check the diff and the reach in the answer, submit it with submit_proposal, and give the link to the person who asked you. People approve and apply it.',
  tools: [findFlags, getFlag, getHistory, proposeChange, reviseProposal, submitProposal, withdrawProposal],
};

export const callMcp = endpoint({
  route: 'POST /mcp',
  group: 'MCP',
  summary: 'Answers a message of the Model Context Protocol, with which agents read flags and propose changes.',
  description:
    'It serves the revision of July 2026, and those of 2025. It keeps no session: the id that it gives to a client contains the name of the client and nothing else. Each tool calls operations of this API with the rights of the token. A notification gets a 202 without a body. A mistake in a message gets an error of JSON-RPC, with a 400 or 404 where the protocol requires it. The reply is 403 while the MCP server is off, which is the default.',
  permission: 'NONE',
  agents: 'allowed',
  rights: 'calls',
  calls: server.tools.flatMap(({ calls }) => calls),
  protocol: 'MCP',
  throttle: { ratePerSecond: 20, burst: 40 },
  body: rpcMessage,
  responses: { 200: rpcReply, 202: null },
  errors: [404],
}).handle(
  async ({ request, body, header, origin, call }) => {
    if (!(await isRemoteMcpOn(request))) {
      throw new ApiError('NoAccessError', 'The MCP server is off. An Admin can switch it on under Settings, Agents.');
    }
    return answerMessage(server, body, { header, origin, call });
  },
  ({ status, headers = {}, reply }) => ({
    status,
    headers,
    json: { text: reply === undefined ? '' : JSON.stringify(reply) },
  }),
);

export const getRemoteMcpSettings = endpoint({
  route: 'GET /api/admin/remote-mcp/settings',
  group: 'MCP',
  summary: 'Returns whether the MCP server is on.',
  description: 'Agents connect to it at `/mcp`.',
  permission: 'ADMIN',
  responses: { 200: object({ enabled: boolean }) },
  etag: true,
}).handle(({ request }) => readRemoteMcp(request));

export const setRemoteMcpSettings = endpoint({
  route: 'POST /api/admin/remote-mcp/settings',
  group: 'MCP',
  summary: 'Switches the MCP server on or off.',
  description: 'It is off by default. All processes use the setting within 5 seconds.',
  permission: 'ADMIN',
  body: object({ enabled: boolean }),
  responses: { 204: null },
  etag: true,
}).handle(({ request, caller, body }) => setRemoteMcp(request, caller, body));
