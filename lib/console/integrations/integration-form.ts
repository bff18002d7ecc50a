import type { AddonInput, AddonProvider, ShownAddon } from '../../integrations/addon-schema.ts';

/** An integration as a form holds it. */
export interface IntegrationForm {
  readonly provider: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly projects: readonly string[];
  readonly environments: readonly string[];
}

/** The value by which the service shows a secret; sent back, it keeps the secret. */
export const maskedSecret = '*****';

/** Builds the form of a new integration: it sends all events of its provider, of all projects. */
export function buildForm({ name, events }: AddonProvider): IntegrationForm {
  return { provider: name, description: '', enabled: true, parameters: {}, events, projects: [], environments: [] };
}

/** Builds the form of an integration that exists. */
export function toForm(addon: ShownAddon): IntegrationForm {
  const { provider, description, enabled, parameters, events, projects, environments } = addon;
  const texts = Object.entries(parameters).map(([name, value]) => [name, String(value ?? '')]);
  return {
    ...{ provider, description: description ?? '', enabled, events, projects, environments },
    parameters: Object.fromEntries(texts),
  };
}

/** Builds the body of a request from a form; empty parameters are left out. */
export function toInput({ parameters, events, projects, environments, ...others }: IntegrationForm): AddonInput {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return {
    ...others,
    ...{ events: [...events], projects: [...projects], environments: [...environments] },
    parameters: Object.fromEntries(given),
  };
}

/** Lists the required parameters that are still empty, and a missing choice of events. */
export function listFormProblems({ parameters, events }: IntegrationForm, provider: AddonProvider): string[] {
  const missing = provider.parameters.filter(({ name, required }) => required && (parameters[name] ?? '') === '');
  return [
    ...missing.map(({ displayName }) => `${displayName} is needed.`),
    ...(events.length === 0 ? ['At least one kind of event is needed.'] : []),
  ];
}
