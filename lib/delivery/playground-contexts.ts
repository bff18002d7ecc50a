import { invalidRequest } from '../errors.ts';
import type { PlaygroundContext } from './playground-schema.ts';

/** The most characters of a value, since each feature hashes and searches values again. */
const textLengthMax = 4_096;

/** A context as one object of texts, for an evaluation. */
export type FlatContext = Readonly<Record<string, string>> & { readonly appName: string };

/** Flattens a context to texts. `ignored` are the names of values that are not texts. */
export function flattenContext({ properties = {}, ...others }: PlaygroundContext) {
  const texts: [string, string][] = [];
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(others)) {
    if (typeof value === 'string') texts.push([name, value]);
    else ignored.push(name);
  }
  // Fields take precedence over properties of the same name.
  return { context: Object.fromEntries([...Object.entries(properties), ...texts]) as FlatContext, ignored };
}

/**
 * Refuses long values.
 * @param separator splits a text into several values; without it, a text is one value.
 * @throws ApiError 400 that names all values that are too long.
 */
export function assertLengths({ properties = {}, ...others }: PlaygroundContext, separator?: string): void {
  const isTooLong = (sent: string) =>
    (separator === undefined ? [sent] : sent.split(separator)).some((value) => value.length > textLengthMax);
  const propertyEntries = Object.entries(properties).map(([name, value]) => [`properties.${name}`, value] as const);
  const problems = [...Object.entries(others), ...propertyEntries]
    .filter(([, value]) => typeof value === 'string' && isTooLong(value))
    .map(([name]) => ({ message: `At most ${textLengthMax} characters are allowed.`, path: `context.${name}` }));
  if (problems.length > 0) throw invalidRequest(problems);
}

/** The fields of a context, each with its values. */
export type Choices = readonly (readonly [string, readonly string[]])[];

/** Counts the combinations of choices. */
export function countCombinations(choices: Choices): number {
  return choices.reduce((product, [, values]) => product * values.length, 1);
}

/** Returns the combination with the shortest values. */
export function pickShortest(choices: Choices): FlatContext {
  return contextOf(choices, ([first = '', ...others]) => others.reduce((a, b) => (b.length < a.length ? b : a), first));
}

function contextOf(choices: Choices, choose: (values: readonly string[]) => string): FlatContext {
  return Object.fromEntries(choices.map(([name, values]) => [name, choose(values)])) as FlatContext;
}

/** Generates all combinations one by one, since all together may not fit into memory. */
export function* generateCombinations(choices: Choices): Generator<FlatContext> {
  const several = choices.filter(([, values]) => values.length > 1).toReversed();
  const first = contextOf(choices, ([value = '']) => value);
  const count = countCombinations(choices);
  for (let index = 0; index < count; index += 1) {
    let rest = index;
    const others = several.map(([name, values]) => {
      const value = values[rest % values.length] ?? '';
      rest = Math.floor(rest / values.length);
      return [name, value] as const;
    });
    yield { ...first, ...Object.fromEntries(others) };
  }
}
