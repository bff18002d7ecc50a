import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '../../../lib/errors.ts';
import { findMisnamed, parseFeatureNaming } from '../../../lib/projects/feature-naming.ts';

/** Lists the problems of a naming, as `path: message`. */
function problemsOf(naming: Parameters<typeof parseFeatureNaming>[0]): string[] {
  try {
    parseFeatureNaming(naming);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.details.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
}

describe('A naming pattern', () => {
  test('is stored with its example and description, or null', () => {
    const naming = { pattern: 'shop-\\d+', example: 'shop-1', description: 'By ticket' };
    expect(parseFeatureNaming(naming)).toEqual(naming);
    expect(parseFeatureNaming({ pattern: 'a|b', example: 'b', description: '' })).toEqual({
      ...{ pattern: 'a|b', example: 'b', description: null },
    });
    expect(parseFeatureNaming({ pattern: 'a' })).toEqual({ pattern: 'a', example: null, description: null });
  });

  test('is removed by an empty pattern, even with an example, which the admin UI still sends', () => {
    for (const naming of [
      {},
      { pattern: null },
      { pattern: '' },
      { pattern: '', example: '', description: '' },
      { pattern: '', example: 'a', description: 'As before' },
    ]) {
      expect(parseFeatureNaming(naming as Parameters<typeof parseFeatureNaming>[0])).toBeNull();
    }
  });

  test.each([
    [{ pattern: 'a b' }, ['pattern: The name of a feature has no spaces']],
    [{ pattern: 'a\\sb', example: 'x' }, ['pattern: The name of a feature has no spaces']],
    [{ pattern: '(' }, ['pattern: The naming pattern "(" is no regular expression.']],
    [{ pattern: '(', example: 'a' }, ['pattern: The naming pattern "(" is no regular expression.']],
    [{ pattern: 'a', example: 'ab' }, ['example: "ab" does not match the pattern "a".']],
    [{ pattern: 'a|b', example: 'ac' }, ['example: "ac" does not match the pattern "a|b".']],
    [{ pattern: 'aa', example: 'a,a' }, ['example: "a,a" does not match the pattern "aa".']],
    [{ pattern: 'a', example: 'a,a' }, ['example: "a,a" does not match the pattern "a".']],
  ])('is refused as %j', (naming, problems) => {
    const found = problemsOf(naming as Parameters<typeof parseFeatureNaming>[0]);
    expect(found).toEqual(problems.map((each) => expect.stringContaining(`featureNaming.${each}`)));
  });

  test('is refused if a name takes too long to match', () => {
    const slow = { pattern: '(a+)+', example: `${'a'.repeat(40)}!` };
    expect(problemsOf(slow)).toEqual(['featureNaming.pattern: The naming pattern "(a+)+" takes too long to match.']);
  });

  test('is tried again if a busy processor has given it less than half of its time', () => {
    const usage = vi.spyOn(process, 'threadCpuUsage');
    onTestFinished(() => usage.mockRestore());
    for (const user of [0, 99_999, 100_000]) usage.mockReturnValueOnce({ user, system: 0 });
    expect(problemsOf({ pattern: '(a+)+', example: `${'a'.repeat(40)}!` })).toHaveLength(1);
    expect(usage).toHaveBeenCalledTimes(3);
  });
});

describe('Misnamed features', () => {
  const naming = { pattern: 'a|b+', example: null, description: null };

  test('are those whose whole name does not match, each with the reason', () => {
    expect([...findMisnamed(naming, ['a', 'ab', 'bb', 'A', 'bba']).keys()]).toEqual(['ab', 'A', 'bba']);
    expect(findMisnamed(naming, ['c']).get('c')).toBe(
      'The name "c" has to match the naming pattern "a|b+" of the project.',
    );
    expect(findMisnamed({ ...naming, example: 'a', description: 'Short' }, ['c']).get('c')).toBe(
      'The name "c" has to match the naming pattern "a|b+" of the project as "a" does (Short).',
    );
  });

  test('do not exist without a pattern or names', () => {
    expect([findMisnamed(null, ['c']), findMisnamed(naming, [])]).toEqual([new Map(), new Map()]);
    expect(findMisnamed({ ...naming, pattern: '(' }, [])).toEqual(new Map());
  });
});
