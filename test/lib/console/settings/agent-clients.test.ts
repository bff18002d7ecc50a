import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { listAgentClients } from '../../../../lib/console/settings/agent-clients.ts';

test('The console connects each client as the README of the MCP server does', async () => {
  const readme = await readFile('functions/mcp/README.md', 'utf8');
  const guides = [...readme.matchAll(/^\*\*(.+?)\*\*.*?```(?:sh|json)\n(.+?)\n```/gms)];
  const documented = guides.map(([, name, text]) => ({ name, text }));
  const shown = listAgentClients('https://flags.example.com/mcp').map(({ name, text }) => ({ name, text }));
  expect(shown).toEqual(documented);
});
