import '../parts/forms/form.css';
import '../parts/forms/connection.css';
import type { JSX } from 'preact';
import { getRemoteMcpSettings, setRemoteMcpSettings } from '../calls/settings.ts';
import { reload, useRead } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { ConnectionAddress } from '../parts/forms/connection-address.tsx';
import { Problem } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { AgentGuides } from './agent-guides.tsx';

/** The switch and the address of the MCP server, by which agents use the service, and how clients connect. */
export function McpSettings(): JSX.Element {
  const path = getRemoteMcpSettings({});
  const { value, problem, etag } = useRead(path, 60_000);
  const address = `${location.origin}/mcp`;

  async function turn(enabled: boolean): Promise<void> {
    await setRemoteMcpSettings({}, { body: { enabled }, ifMatch: etag });
    showMessage(enabled ? 'Agents can connect' : 'Agents can no longer connect');
    await reload(path);
  }

  return (
    <>
      <section class="section card form-card" aria-labelledby="mcp">
        <div class="section-head">
          <h2 id="mcp">Agents</h2>
          {value !== undefined && (
            <Switch isOn={value.enabled} label="MCP server" onSwitch={(enabled) => attempt(() => turn(enabled))} />
          )}
        </div>
        <p class="section-note">
          {value?.enabled === false && <b>No agent can connect before the MCP server is on. </b>}
          Agents connect by the Model Context Protocol, each with a token that may only propose changes: make it under{' '}
          <a href="/tokens#yours">Tokens, Yours</a>. They read what its owner may read, and propose changes that people
          approve.
        </p>
        <dl class="connection">
          <ConnectionAddress address={address} />
        </dl>
        {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      </section>
      <AgentGuides address={address} />
    </>
  );
}
