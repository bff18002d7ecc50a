/** Returns the stack of an error and of its causes, for the log of the operator. */
export function stackOf(error: unknown): string {
  // Any other thrown value could contain data of callers.
  if (!(error instanceof Error)) return `A value that is not an Error was thrown: ${typeof error}.`;
  const { cause } = error;
  return cause === undefined ? ownStackOf(error) : `${ownStackOf(error)}\nCaused by: ${stackOf(cause)}`;
}

/**
 * Returns the stack of an error. The message of a syntax error is omitted: it quotes the text that could not be parsed, which may be
 * a setting or a secret.
 */
function ownStackOf(error: Error): string {
  const { name, message, stack = `${name}: ${message}` } = error;
  if (!(error instanceof SyntaxError)) return stack;
  const frames = stack.indexOf('\n    at ');
  return frames === -1 ? name : name + stack.slice(frames);
}
