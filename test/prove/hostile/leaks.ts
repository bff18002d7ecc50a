import { hashOf } from '../../../lib/identity/tokens/token.ts';

/** Patterns that no reply may contain. */
const internals: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack frame', /\n\s*at |\bat (async )?[\w.<>]+ \(|:\d+:\d+\)/],
  ['a package', /node_modules|\b(middy|valibot|smithy|dynoxide|aws-sdk|dataloader)\b/i],
  ['a file', /file:\/\/|\/(home|tmp|usr|var|work|opt)\/|\b[\w-]+\.(ts|mjs|cjs):?\d*\b/],
  ['a key of the store', /\b(pk|sk)\b|\b(FEATURE|PROJECT|TOKENS|ACCESS|STRATEGY_TYPES|ENVIRONMENTS)#/],
  ['the store', /dynamo|\baws\b|amazon|TransactWrite|BatchGet|ConditionalCheck|[a-z]Exception\b|prove-[\da-f]{8}/i],
  ['a JavaScript error', /\b(Type|Range|Reference|Syntax)Error\b|Cannot read propert|is not (a function|iterable)/],
  ['a JavaScript value or a system error code', /\[object \w+\]|\bundefined\b|\bNaN\b|ECONN[A-Z]+/],
];

/** Lists the kinds of internals that an error reveals, except words that it merely quotes from the request. */
export function findLeaks(text: string, sent: string): string[] {
  return internals.flatMap(([what, pattern]) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined || sent.includes(found) ? [] : [`It reveals ${what}: ${JSON.stringify(found)}.`];
  });
}

/** Reports the tokens that an answer contains, in clear text or hashed. */
export function findSecrets(text: string, tokens: readonly string[]): string[] {
  return tokens.flatMap((token) =>
    text.includes(token) || text.includes(hashOf(token)) ? ['It reveals a token or its hash.'] : [],
  );
}
