import { describe, expect, test } from 'vitest';
import { sdkCodes, sortSdks } from '../../../../lib/console/words/sdk-code.ts';

describe('The code for an SDK', () => {
  test.each(sdkCodes)('has three lines with the flag and the address for $name', ({ write }) => {
    const code = write('new-checkout', 'https://flags.example.com');
    expect(code.split('\n')).toHaveLength(3);
    expect(code).toContain('new-checkout');
    expect(code).toContain('https://flags.example.com/');
  });

  test('begins with the SDKs that applications have reported, whatever their version', () => {
    expect(
      sortSdks(['unleash-client-go:4.1.0', 'unleash-react-sdk'])
        .map(({ name }) => name)
        .slice(0, 3),
    ).toEqual(['Go', 'React', 'Node']);
  });

  test('keeps the usual order where nothing was reported, or something unknown', () => {
    expect(sortSdks(['our-own-client:1.0.0'])).toEqual(sdkCodes);
  });
});
