import { describe, expect, test } from 'vitest';
import { requireVersion } from '../../../lib/table/versioned.ts';

describe('A thing in its version 7', () => {
  test.each([[undefined], [new Set([7])], [new Set([1, 7])]])('is changed where %o is expected', (expectedVersions) => {
    expect(() =>
      requireVersion({ ...(expectedVersions && { expectedVersions }) }, 7, 'feature "checkout"'),
    ).not.toThrow();
  });

  test.each([[[]], [[6]], [[6, 8]]])('is not changed where the versions %j are expected', (versions) => {
    expect(() => requireVersion({ expectedVersions: new Set(versions) }, 7, 'feature "checkout"')).toThrow(
      expect.objectContaining({ name: 'PreconditionFailed', message: expect.stringContaining('feature "checkout"') }),
    );
  });
});
