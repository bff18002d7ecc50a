import type { AddonItem } from '../../addons/addon.ts';
import { keys } from '../../table/keys.ts';
import type { Addition } from '../addition.ts';
import { addonIdentity } from '../repeated-entries.ts';
import type { SeedData } from '../seed-data.ts';
import type { SeedState } from '../seed-state.ts';
import { missing, numbers } from './missing.ts';

export function missingAddons(state: SeedState, data: SeedData, at: string): Addition[] {
  const ids = new Set(state.addons.map(({ id }) => id));
  // An addon whose id the seed gives is that one and cannot be taken for one that has none.
  const given = new Set(data.addons.map(({ id }) => id));
  const identities = new Set(state.addons.filter(({ id }) => !given.has(id)).map(addonIdentity));
  const entries = missing(data.addons, (entry) =>
    entry.id === undefined ? identities.has(addonIdentity(entry)) : ids.has(entry.id),
  );
  const nextId = numbers(state, 'addon', entries);
  return entries.map(({ entry, index }) => {
    const { id = nextId(), provider, enabled, description, parameters, events, projects, environments } = entry;
    const fields = { id, provider, enabled, description, createdAt: at };
    const item: AddonItem = {
      ...fields,
      parameters: JSON.stringify(parameters),
      events: JSON.stringify(events),
      projects: JSON.stringify(projects),
      environments: JSON.stringify(environments),
    };
    return {
      kind: 'addon',
      name: `${provider} (id ${id})`,
      path: `addons.${index}`,
      writes: [{ put: keys.addon(id), item: { ...item }, when: 'absent' }],
      // The parameters may hold secrets.
      event: { type: 'addon-config-created', data: { ...fields, events, projects, environments } },
      number: { counter: 'addon', value: id },
    };
  });
}
