import { type ComparedToken, chooseTokens, describeUnread } from './choose-tokens.ts';
import { checkToken, fetchAsSdk } from './client-answer.ts';
import { type ComparedAnswers, compareAnswers, type Divergence } from './compare-answers.ts';
import { maxUsers } from './contexts.ts';

/** The two servers to compare, and the extent of the comparison. */
export interface ComparisonInput {
  readonly source: URL;
  readonly target: URL;
  /** The tokens that exist on both servers and have not expired. */
  readonly tokens: readonly ComparedToken[];
  /** All environments and projects of the source, so that those without a token can be named. */
  readonly environments: readonly string[];
  readonly projects: readonly string[];
  /** The maximum number of decisions, for all flags together. */
  readonly maxDecisions: number;
  /** Called for each compared flag. */
  readonly onCompared?: () => void;
}

/** The result of a comparison. */
export interface Comparison {
  readonly environments: readonly ComparedEnvironment[];
  readonly decisions: number;
  readonly users: number;
  /** The number of tokens that were tried on the target. */
  readonly tokens: number;
  /** The names of the tokens that the target refuses, with the HTTP status of the reply. */
  readonly refused: readonly string[];
  /** Sentences about what could not be compared. */
  readonly notCompared: readonly string[];
}

export interface ComparedEnvironment {
  readonly name: string;
  readonly flags: number;
  readonly decisions: number;
  /** The names of the tokens with which it was read. */
  readonly tokens: readonly string[];
  readonly divergences: readonly Divergence[];
}

/** The number of concurrent requests. It is low, since the server has other work. */
const concurrency = 2;

/**
 * Compares two servers as an SDK would. Each flag of each environment is evaluated by the engine of the official Node SDK, with the
 * answers of both servers, for values at and next to the limits of its constraints, and for a thousand users.
 * @throws Problem if a server cannot be reached, or answers in another format.
 */
export async function compareServers(input: ComparisonInput): Promise<Comparison> {
  const { target, tokens } = input;
  const refused = await findRefused(target, tokens);
  const accepted = tokens.filter((token) => !refused.has(token));
  const environmentTokens = input.environments.map((name) => ({ name, chosen: chooseTokens(name, accepted) }));
  const readable = environmentTokens.filter(({ chosen }) => chosen.length > 0);
  const environments: ComparedEnvironment[] = [];
  for (const environment of readable) {
    environments.push(await compareEnvironment(input, environment, input.maxDecisions / readable.length));
  }
  return {
    environments,
    decisions: environments.reduce((sum, { decisions }) => sum + decisions, 0),
    users: maxUsers,
    tokens: tokens.length,
    refused: [...refused].map(([{ name, environment }, status]) => `${name} (${environment}): ${status}`),
    notCompared: environmentTokens.flatMap(({ name, chosen }) => describeUnread(name, chosen, input.projects)),
  };
}

/**
 * Sends a request with each token to the target, as its application will. Returns the refused tokens, with the HTTP status of the reply.
 */
async function findRefused(target: URL, tokens: readonly ComparedToken[]): Promise<ReadonlyMap<ComparedToken, number>> {
  const refused = new Map<ComparedToken, number>();
  const rest = tokens.values();
  // All workers take the next token from the same iterator.
  async function work(): Promise<void> {
    for (const token of rest) {
      const status = await checkToken(target, token.secret, token.type);
      if (status !== 200) refused.set(token, status);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  return refused;
}

/** An environment and the tokens with which it is read. */
interface EnvironmentTokens {
  readonly name: string;
  readonly chosen: readonly ComparedToken[];
}

/** Compares an environment, one token after the other. A flag that several tokens can read counts once. */
async function compareEnvironment(
  { source, target, onCompared }: ComparisonInput,
  { name, chosen }: EnvironmentTokens,
  maxDecisions: number,
): Promise<ComparedEnvironment> {
  const seen = new Set<string>();
  const outcomes: ComparedAnswers[] = [];
  for (const { secret } of chosen) {
    const [sourceAnswer, targetAnswer] = await Promise.all([fetchAsSdk(source, secret), fetchAsSdk(target, secret)]);
    const flags = [...new Set([...sourceAnswer.flags.keys(), ...targetAnswer.flags.keys()])].filter(
      (flag) => !seen.has(flag),
    );
    for (const flag of flags) seen.add(flag);
    // The tokens are assumed to have about the same number of flags.
    const perFlag = Math.max(1, Math.floor(maxDecisions / chosen.length / Math.max(1, flags.length)));
    outcomes.push(compareAnswers(sourceAnswer, targetAnswer, { flags, perFlag, onCompared }));
  }
  return {
    name,
    flags: seen.size,
    decisions: outcomes.reduce((sum, { decisions }) => sum + decisions, 0),
    tokens: chosen.map((token) => token.name),
    divergences: outcomes.flatMap(({ divergences }) => divergences),
  };
}
