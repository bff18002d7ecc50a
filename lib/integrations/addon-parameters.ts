import * as v from 'valibot';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import { text } from '../values/primitives.ts';
import type { AddonInput, AddonParameter, AddonProvider } from './addon-schema.ts';
import { providers } from './providers.ts';
import { findAddressProblem, readAllowedHosts } from './sending/address-rules.ts';
import { isBusArn } from './sending/requests/event-bridge.ts';
import { findHeaderProblem, findHeadersProblem } from './sending/requests/outgoing.ts';
import { findSecretProblem } from './sending/signature.ts';
import { findTemplateProblem } from './sending/template.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** The placeholder of a secret in replies. A request with the placeholder keeps the stored secret. */
export const masked = '*****';

/** The most characters of an addon as JSON, since each change of a flag reads all addons, and one reply lists them. */
const lengthMax = 30_000;

/** A provider, and the checked parameters of an addon, with secrets. */
export interface CheckedAddon {
  readonly provider: AddonProvider;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Checks the parameters and the events of an addon against its provider. Unknown parameters are dropped.
 * @param stored the values that `*****` stands for, if the address stays the same.
 * @param filterProblems the problems of its projects and environments.
 * @throws ApiError 400 with all mistakes.
 */
export function checkAddon(
  input: AddonInput,
  stored: Parameters = {},
  filterProblems: readonly ErrorDetail[] = [],
): CheckedAddon {
  const provider = providers.find(({ name }) => name === input.provider);
  if (provider === undefined) {
    const names = providers.map(({ name }) => name).join(', ');
    const message = `The provider is unknown; choose one of ${names}.`;
    throw invalidRequest([{ path: 'provider', message }, ...filterProblems]);
  }
  const problems: ErrorDetail[] = [];
  const isKept = ({ name, sensitive }: AddonParameter) => sensitive && input.parameters[name] === masked;
  const sentOf = (parameter: AddonParameter) => (isKept(parameter) ? stored : input.parameters)[parameter.name];
  const addresses = provider.parameters.filter(({ type }) => type === 'url');
  const hasMoved = addresses.some((address) => (sentOf(address) || undefined) !== stored[address.name]);
  const sent = provider.parameters.flatMap((parameter): [string, string][] => {
    const value = sentOf(parameter);
    const message =
      // A caller could read masked secrets by sending them to another address.
      hasMoved && isKept(parameter) && !isMissing(value)
        ? `${parameter.displayName} must be entered again, since the address has changed.`
        : problemOf(parameter, value);
    if (message !== undefined) problems.push({ path: `parameters.${parameter.name}`, message });
    return v.is(text, value) && !isMissing(value) ? [[parameter.name, value]] : [];
  });
  const unknown = input.events.filter((event) => !provider.events.includes(event));
  if (unknown.length > 0) {
    const message = `${provider.displayName} does not send ${unknown.slice(0, 10).join(', ')}.`;
    problems.push({ path: 'events', message });
  }
  problems.push(...filterProblems);
  const parameters = Object.fromEntries(sent);
  const { length } = JSON.stringify({ ...input, parameters });
  if (length > lengthMax) problems.push({ message: `An addon has at most ${lengthMax} characters in total.` });
  if (problems.length > 0) throw invalidRequest(problems);
  return { provider, parameters };
}

/** Lists the mistakes of `checkAddon`, for imports that collect them. */
export function findAddonProblems(input: AddonInput, stored?: Parameters): readonly ErrorDetail[] {
  try {
    checkAddon(input, stored);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.details;
    throw error;
  }
}

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

function problemOf({ displayName, name, type, required }: AddonParameter, value: unknown): string | undefined {
  if (isMissing(value)) return required ? `${displayName} is required.` : undefined;
  if (!v.is(text, value)) return `${displayName} must be text.`;
  const problem = type === 'url' ? findAddressProblem(value, addressRules()) : problems[name]?.(value);
  return problem && `${displayName} ${problem}`;
}

/** The rules for saved addresses. IP addresses are checked when they are saved, and names when they are looked up. */
const addressRules = () => ({ allowedHosts: readAllowedHosts(process.env), ownPorts: [] });

/** The checks of parameters by name. */
const problems: Readonly<Record<string, (value: string) => string | undefined>> = {
  accessToken: findHeaderProblem,
  apiKey: findHeaderProblem,
  authorization: findHeaderProblem,
  contentType: findHeaderProblem,
  customHeaders: findHeadersProblem,
  licenseKey: findHeaderProblem,
  signingSecret: findSecretProblem,
  bodyTemplate: findTemplateProblem,
  busArn: (value) => (isBusArn(value) ? undefined : 'must be the ARN of an event bus.'),
};

/** Tells whether a parameter is no secret. Every parameter of an unknown provider counts as a secret. */
function isOpen(providerName: string, name: string): boolean {
  const parameters = providers.find((provider) => provider.name === providerName)?.parameters ?? [];
  return parameters.some((parameter) => parameter.name === name && !parameter.sensitive);
}

/** Returns the parameters with masked secrets. */
export function maskParameters(providerName: string, parameters: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, isOpen(providerName, name) ? value : masked]),
  );
}

/** Returns the parameters without secrets, and the names of the secrets. */
export function withoutSecrets(providerName: string, parameters: Parameters) {
  const entries = Map.groupBy(Object.entries(parameters), ([name]) => isOpen(providerName, name));
  return {
    parameters: Object.fromEntries(entries.get(true) ?? []),
    removed: (entries.get(false) ?? []).map(([name]) => name),
  };
}
