import { type ComparedToken, chooseTokens, notAsked } from './choose-tokens.ts';
import { askAccepted, askAsSdk } from './client-answer.ts';
import { type ComparedAnswers, compareAnswers, type Divergence } from './compare-answers.ts';
import { usersMax } from './contexts.ts';

/** The two servers, and by what they are compared. */
export interface Compared {
  readonly source: URL;
  readonly target: URL;
  /** Those that exist on both and have not expired. */
  readonly tokens: readonly ComparedToken[];
  /** All environments and projects of the source, so that those which no token reads are named. */
  readonly environments: readonly string[];
  readonly projects: readonly string[];
  /** The most decisions about all flags together. */
  readonly decisionsMax: number;
  /** Called for each flag that is compared. */
  readonly onCompared?: () => void;
}

/** The outcome of a comparison. */
export interface Comparison {
  readonly environments: readonly ComparedEnvironment[];
  readonly decisions: number;
  readonly users: number;
  /** Number of tokens by which the target was asked. */
  readonly tokens: number;
  /** Names of tokens that the target refuses, with its status. */
  readonly refused: readonly string[];
  /** Sentences about what could not be compared. */
  readonly notCompared: readonly string[];
}

export interface ComparedEnvironment {
  readonly name: string;
  readonly flags: number;
  readonly decisions: number;
  /** Names of the tokens by which it was read. */
  readonly tokens: readonly string[];
  readonly divergences: readonly Divergence[];
}

/** Requests at once to a server that has other work. */
const atOnce = 2;

/**
 * Compares two servers as SDKs see them: each flag of each environment is evaluated for contexts around its own
 * constraints and for a thousand users, by the engine of the official Node SDK, with what either delivers.
 * @throws Problem where a server is out of reach or answers something else.
 */
export async function compareServers(compared: Compared): Promise<Comparison> {
  const { target, tokens } = compared;
  const refused = await refusals(target, tokens);
  const accepted = tokens.filter((token) => !refused.has(token));
  const scopes = compared.environments.map((name) => ({ name, asking: chooseTokens(name, accepted) }));
  const asked = scopes.filter(({ asking }) => asking.length > 0);
  const environments: ComparedEnvironment[] = [];
  for (const scope of asked) {
    environments.push(await compareEnvironment(compared, scope, compared.decisionsMax / asked.length));
  }
  return {
    environments,
    decisions: environments.reduce((sum, { decisions }) => sum + decisions, 0),
    users: usersMax,
    tokens: tokens.length,
    refused: [...refused].map(([{ name, environment }, status]) => `${name} (${environment}): ${status}`),
    notCompared: scopes.flatMap(({ name, asking }) => notAsked(name, asking, compared.projects)),
  };
}

/** Asks the target by each token, as its application will; returns those that it refuses, with its status. */
async function refusals(target: URL, tokens: readonly ComparedToken[]): Promise<ReadonlyMap<ComparedToken, number>> {
  const found = new Map<ComparedToken, number>();
  const rest = tokens.values();
  // Both take the next token from the same iterator.
  async function work(): Promise<void> {
    for (const token of rest) {
      const status = await askAccepted(target, token.secret, token.type);
      if (status !== 200) found.set(token, status);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return found;
}

interface Scope {
  readonly name: string;
  readonly asking: readonly ComparedToken[];
}

/** Compares an environment by one token after the other; a flag that several of them get counts once. */
async function compareEnvironment(
  { source, target, onCompared }: Compared,
  { name, asking }: Scope,
  decisionsMax: number,
): Promise<ComparedEnvironment> {
  const seen = new Set<string>();
  const outcomes: ComparedAnswers[] = [];
  for (const { secret } of asking) {
    const [theirs, ours] = await Promise.all([askAsSdk(source, secret), askAsSdk(target, secret)]);
    const flags = [...new Set([...theirs.flags.keys(), ...ours.flags.keys()])].filter((flag) => !seen.has(flag));
    for (const flag of flags) seen.add(flag);
    // Where there are several, they have about equally many.
    const perFlag = Math.max(1, Math.floor(decisionsMax / asking.length / Math.max(1, flags.length)));
    outcomes.push(compareAnswers(theirs, ours, { flags, perFlag, onCompared }));
  }
  return {
    name,
    flags: seen.size,
    decisions: outcomes.reduce((sum, { decisions }) => sum + decisions, 0),
    tokens: asking.map((token) => token.name),
    divergences: outcomes.flatMap(({ divergences }) => divergences),
  };
}
