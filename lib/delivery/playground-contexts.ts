import { invalidRequest } from '../errors.ts';
import type { PlaygroundContext } from './playground-schema.ts';

/** A longer text would be hashed and searched again for each feature. */
const textLengthMax = 4_096;

/** A context without levels: what an evaluation takes from it by name. */
export type FlatContext = Readonly<Record<string, string>> & { readonly appName: string };

/** The text of everything in a context that has one, and the names of what has none. */
export function flatContext({ properties = {}, ...others }: PlaygroundContext) {
  const texts: [string, string][] = [];
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(others)) {
    if (typeof value === 'string') texts.push([name, value]);
    else ignored.push(name);
  }
  // What stands beside the properties counts more.
  return { context: Object.fromEntries([...Object.entries(properties), ...texts]) as FlatContext, ignored };
}

/**
 * Refuses values that are too long.
 * @param separator what stands between the values that a text may hold; without one, it is a single value.
 * @throws ApiError 400 that names all of them.
 */
export function assertLengths({ properties = {}, ...others }: PlaygroundContext, separator?: string): void {
  const isTooLong = (sent: string) =>
    (separator === undefined ? [sent] : sent.split(separator)).some((value) => value.length > textLengthMax);
  const beneath = Object.entries(properties).map(([name, value]) => [`properties.${name}`, value] as const);
  const problems = [...Object.entries(others), ...beneath]
    .filter(([, value]) => typeof value === 'string' && isTooLong(value))
    .map(([name]) => ({ message: `At most ${textLengthMax} characters are allowed.`, path: `context.${name}` }));
  if (problems.length > 0) throw invalidRequest(problems);
}

/** The names of a context, each with the values that are asked about. */
export type Choices = readonly (readonly [string, readonly string[]])[];

/** Returns the number of the contexts that choices make. */
export function combinationCount(choices: Choices): number {
  return choices.reduce((product, [, values]) => product * values.length, 1);
}

/** Returns the context of the shortest values, than which none is shorter. */
export function shortestOf(choices: Choices): FlatContext {
  return contextOf(choices, ([first = '', ...others]) => others.reduce((a, b) => (b.length < a.length ? b : a), first));
}

function contextOf(choices: Choices, choose: (values: readonly string[]) => string): FlatContext {
  return Object.fromEntries(choices.map(([name, values]) => [name, choose(values)])) as FlatContext;
}

/**
 * Every choice of one value for each name, made one after the other: all of them might not fit into memory, since there may
 * be thousands of names.
 */
export function* combinationsOf(choices: Choices): Generator<FlatContext> {
  const several = choices.filter(([, values]) => values.length > 1).toReversed();
  const first = contextOf(choices, ([value = '']) => value);
  const count = combinationCount(choices);
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
