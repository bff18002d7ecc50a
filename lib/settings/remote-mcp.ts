import type { Actor } from '../events/actor.ts';
import { remember, rememberStored } from '../identity/identity-memory.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { readSetting, saveSetting } from './settings.ts';

/** The id of the setting, as Unleash names it. */
const settingId = 'remote-mcp';

interface RemoteMcp {
  readonly enabled: boolean;
}

/** The server is off until an administrator wants agents to use the service. */
const off: RemoteMcp = { enabled: false };

/** Tells whether the MCP server is on. Changes of other processes are noticed within `identityTrustMs`. */
export async function isRemoteMcpOn(request: Request): Promise<boolean> {
  const load = async () => (await readRemoteMcp(request)).value;
  return (await remember(request, settingId, load))?.enabled === true;
}

/** Reads the setting of the MCP server, with its version. */
export function readRemoteMcp(request: Request): Promise<Versioned<RemoteMcp>> {
  return readSetting(request, settingId, off);
}

/**
 * Switches the MCP server on or off.
 * @throws ApiError 412 if `If-Match` does not match.
 */
export async function setRemoteMcp(request: Request, actor: Actor, { enabled }: RemoteMcp): Promise<Versioned<void>> {
  const event = 'remote-mcp-server-settings-updated';
  const result = await saveSetting(request, actor, settingId, { enabled }, { event });
  rememberStored(request, settingId, { enabled });
  return result;
}
