import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { getRemoteMcpSettings, setRemoteMcpSettings } from '../calls/settings.ts';
import { reload, useRead } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Problem } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage } from '../parts/toasts.tsx';

/** The switch of the MCP server, by which agents use the service. */
export function McpSettings(): JSX.Element {
  const path = getRemoteMcpSettings({});
  const { value, problem, etag } = useRead(path, 60_000);

  async function turn(enabled: boolean): Promise<void> {
    await setRemoteMcpSettings({}, { body: { enabled }, ifMatch: etag });
    showMessage(enabled ? 'Agents can connect' : 'Agents can no longer connect');
    await reload(path);
  }

  return (
    <section class="section card form-card" aria-labelledby="mcp">
      <div class="section-head">
        <h2 id="mcp">Agents</h2>
        {value !== undefined && (
          <Switch isOn={value.enabled} label="MCP server" onSwitch={(enabled) => attempt(() => turn(enabled))} />
        )}
      </div>
      <p class="section-note">
        Agents connect to <code>{location.origin}/mcp</code> by the Model Context Protocol, each with a token that may
        only propose changes: make it under <a href="/tokens#yours">Tokens, Yours</a>. They read what its owner may
        read, and propose changes that people approve.
      </p>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
    </section>
  );
}
