import * as v from 'valibot';
import { type ErrorDetail, invalidRequest } from '../errors.ts';
import { text } from '../values/primitives.ts';
import type { AddonInput, AddonParameter, AddonProvider } from './addon-schema.ts';
import { providers } from './providers.ts';
import { addressProblem, readAllowedHosts } from './sending/address-rules.ts';
import { isBusArn } from './sending/requests/event-bridge.ts';
import { headerProblem, headersProblem } from './sending/requests/outgoing.ts';
import { secretProblem } from './sending/signature.ts';
import { templateProblem } from './sending/template.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Placeholder of a stored secret: replies show it, and a request that sends it keeps the secret. */
export const masked = '*****';

/** The most characters of an addon as JSON: with each change of a flag all addons are read, and one answer lists them. */
const lengthMax = 30_000;

/** A provider, and what an addon of it is to send with, secrets included. */
export interface CheckedAddon {
  readonly provider: AddonProvider;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Checks the parameters and the events of an addon against its provider. Unknown parameters are dropped.
 * @param stored values that `*****` stands for, as long as they go to the same address.
 * @param unknownPlaces what is wrong with its filters.
 * @throws ApiError 400 that names every mistake.
 */
export function checkAddon(
  input: AddonInput,
  stored: Parameters = {},
  unknownPlaces: readonly ErrorDetail[] = [],
): CheckedAddon {
  const provider = providers.find(({ name }) => name === input.provider);
  if (provider === undefined) {
    const names = providers.map(({ name }) => name).join(', ');
    const message = `There is no such provider; choose one of ${names}.`;
    throw invalidRequest([{ path: 'provider', message }, ...unknownPlaces]);
  }
  const problems: ErrorDetail[] = [];
  const isKept = ({ name, sensitive }: AddonParameter) => sensitive && input.parameters[name] === masked;
  const sentOf = (parameter: AddonParameter) => (isKept(parameter) ? stored : input.parameters)[parameter.name];
  const addresses = provider.parameters.filter(({ type }) => type === 'url');
  const hasMoved = addresses.some((address) => (sentOf(address) || undefined) !== stored[address.name]);
  const sent = provider.parameters.flatMap((parameter): [string, string][] => {
    const value = sentOf(parameter);
    const message =
      // A caller who changes the address would learn what is masked for them.
      hasMoved && isKept(parameter) && !isMissing(value)
        ? `${parameter.displayName} must be entered again, since the address is another one.`
        : problemOf(parameter, value);
    if (message !== undefined) problems.push({ path: `parameters.${parameter.name}`, message });
    return v.is(text, value) && !isMissing(value) ? [[parameter.name, value]] : [];
  });
  const unknown = input.events.filter((event) => !provider.events.includes(event));
  if (unknown.length > 0) {
    const message = `${provider.displayName} does not send ${unknown.slice(0, 10).join(', ')}.`;
    problems.push({ path: 'events', message });
  }
  problems.push(...unknownPlaces);
  const parameters = Object.fromEntries(sent);
  const { length } = JSON.stringify({ ...input, parameters });
  if (length > lengthMax) problems.push({ message: `An addon has at most ${lengthMax} characters in all.` });
  if (problems.length > 0) throw invalidRequest(problems);
  return { provider, parameters };
}

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

function problemOf({ displayName, name, type, required }: AddonParameter, value: unknown): string | undefined {
  if (isMissing(value)) return required ? `${displayName} is required.` : undefined;
  if (!v.is(text, value)) return `${displayName} must be text.`;
  const problem = type === 'url' ? addressProblem(value, addressRules()) : problems[name]?.(value);
  return problem && `${displayName} ${problem}`;
}

/** Literal addresses are judged when they are saved, and names when they are looked up. */
const addressRules = () => ({ allowedHosts: readAllowedHosts(process.env), ownPorts: [] });

/** The checks of parameters by their names. */
const problems: Readonly<Record<string, (value: string) => string | undefined>> = {
  accessToken: headerProblem,
  apiKey: headerProblem,
  authorization: headerProblem,
  contentType: headerProblem,
  customHeaders: headersProblem,
  licenseKey: headerProblem,
  signingSecret: secretProblem,
  bodyTemplate: templateProblem,
  busArn: (value) => (isBusArn(value) ? undefined : 'must be the ARN of an event bus.'),
};

/** Tells a parameter that is no secret. Of a provider that nobody knows, each could be one. */
function isOpen(providerName: string, name: string): boolean {
  const known = providers.find((provider) => provider.name === providerName)?.parameters ?? [];
  return known.some((parameter) => parameter.name === name && !parameter.sensitive);
}

/** Returns the parameters as everybody may see them. */
export function maskParameters(providerName: string, parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, isOpen(providerName, name) ? value : masked]),
  );
}

/** Returns the parameters that are no secrets, and the names of the others. */
export function withoutSecrets(providerName: string, parameters: Parameters) {
  const entries = Map.groupBy(Object.entries(parameters), ([name]) => isOpen(providerName, name));
  return {
    parameters: Object.fromEntries(entries.get(true) ?? []),
    removed: (entries.get(false) ?? []).map(([name]) => name),
  };
}
