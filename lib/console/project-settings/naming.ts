/**
 * Finds the problem of a pattern for names: it is no regular expression, or its example does not match as a whole. The service
 * decides in the end, since its expressions are those of RE2.
 */
export function findPatternProblem(pattern: string, example: string): string | undefined {
  if (pattern === '') return undefined;
  let expression: RegExp;
  try {
    expression = new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return 'This is not a regular expression.';
  }
  return example === '' || expression.test(example) ? undefined : `The example ${example} does not match.`;
}
