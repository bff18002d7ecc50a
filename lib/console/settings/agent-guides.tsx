import '../parts/forms/connection.css';
import type { JSX } from 'preact';
import { Command } from '../parts/forms/command.tsx';
import { listAgentClients } from './agent-clients.ts';

/** The commands and files that connect well-known clients. @param address the address of the MCP server. */
export function AgentGuides({ address }: { readonly address: string }): JSX.Element {
  return (
    <section class="section card form-card" aria-labelledby="agent-guides">
      <h2 id="agent-guides">Connect a client</h2>
      <p class="section-note">
        First put the token into the environment, not into a file that you share. The quotes below matter: with them,
        clients save the name of the variable and not the token.
      </p>
      <Command text="export FLAGSTAFF_TOKEN=…" />
      {listAgentClients(address).map(({ name, note, text }) => (
        <details key={name} class="guide">
          <summary>{name}</summary>
          {note !== undefined && <p class="section-note">{note}</p>}
          <Command text={text} />
        </details>
      ))}
    </section>
  );
}
