import { expect, test } from 'vitest';
import { findPatternProblem } from '../../../../lib/console/project-settings/naming.ts';

test('A pattern for names is a regular expression that its example matches as a whole', () => {
  expect(findPatternProblem('', 'anything')).toBeUndefined();
  expect(findPatternProblem('[a-z-]+', '')).toBeUndefined();
  expect(findPatternProblem('[a-z-]+', 'new-checkout')).toBeUndefined();
  expect(findPatternProblem('a|b', 'ab')).toBe('The example ab does not match.');
  expect(findPatternProblem('[a-z', 'a')).toBe('This is not a regular expression.');
});
