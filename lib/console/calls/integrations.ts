import type { AddonInput, AddonProvider, AgainInput, ShownAddon } from '../../integrations/addon-schema.ts';
import type { IntegrationEvent } from '../../integrations/sent-log-schema.ts';
import { change, read } from '../data/declare-call.ts';

const integrations = '/api/admin/addons';

export const getAddons = read<{
  readonly addons: readonly ShownAddon[];
  readonly providers: readonly AddonProvider[];
}>()('getAddons', integrations);
export const getAddon = read<ShownAddon>()('getAddon', `${integrations}/{id}`);
export const createAddon = change<ShownAddon, AddonInput>()('createAddon', 'POST', integrations);
export const updateAddon = change<ShownAddon, AddonInput>()('updateAddon', 'PUT', `${integrations}/{id}`);
export const deleteAddon = change()('deleteAddon', 'DELETE', `${integrations}/{id}`);
export const getIntegrationEvents = read<{ readonly integrationEvents: readonly IntegrationEvent[] }>()(
  'getIntegrationEvents',
  `${integrations}/{id}/events`,
);
export const sendIntegrationEvents = change<unknown, AgainInput>()(
  'sendIntegrationEvents',
  'POST',
  `${integrations}/{id}/events`,
);
