/** A program in which agents run, and how it is connected. */
interface AgentClient {
  readonly name: string;
  /** The file for the text, or what the client does with it. */
  readonly note?: string;
  /** A command, or a part of a file. */
  readonly text: string;
}

/** Lists the clients that are known to connect, as the README of the MCP server does. @param url the address of the MCP server. */
export function listAgentClients(url: string): readonly AgentClient[] {
  const header = `'Authorization: Bearer \${FLAGSTAFF_TOKEN}'`;
  return [
    { name: 'Claude Code', text: `claude mcp add --transport http flagstaff ${url} --header ${header}` },
    { name: 'Codex', text: `codex mcp add flagstaff --url ${url} --bearer-token-env-var FLAGSTAFF_TOKEN` },
    {
      name: 'Gemini CLI',
      note: 'For the current folder:',
      text: `gemini mcp add --transport http --header 'Authorization: Bearer $FLAGSTAFF_TOKEN' flagstaff ${url}`,
    },
    { name: 'GitHub Copilot CLI', text: `copilot mcp add --transport http --header ${header} flagstaff ${url}` },
    {
      name: 'opencode',
      note: 'In opencode.json:',
      text: `{
  "mcp": {
    "flagstaff": {
      "type": "remote",
      "url": "${url}",
      "headers": { "Authorization": "Bearer {env:FLAGSTAFF_TOKEN}" }
    }
  }
}`,
    },
    {
      name: 'Cline',
      note: 'It keeps the token itself, in ~/.cline:',
      text: `cline mcp add flagstaff ${url} --transport http --header "Authorization: Bearer $FLAGSTAFF_TOKEN" --yes`,
    },
    {
      name: 'VS Code',
      note: 'In .vscode/mcp.json. It asks for the token once, and stores it safely:',
      text: `{
  "inputs": [{ "type": "promptString", "id": "flagstaff", "description": "Token of Flagstaff", "password": true }],
  "servers": {
    "flagstaff": {
      "type": "http",
      "url": "${url}",
      "headers": { "Authorization": "Bearer \${input:flagstaff}" }
    }
  }
}`,
    },
  ];
}
