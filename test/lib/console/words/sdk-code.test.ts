import { describe, expect, test } from 'vitest';
import { sdkCodes, sortSdks } from '../../../../lib/console/words/sdk-code.ts';

describe('The code for an SDK', () => {
  test.each(sdkCodes)('has three lines with the flag and the address for $name', ({ write }) => {
    const code = write('new-checkout', 'https://flags.example.com', ['userId']);
    expect(code.split('\n')).toHaveLength(3);
    expect(code).toContain('new-checkout');
    expect(code).toContain('https://flags.example.com/');
  });

  test.each(sdkCodes)('sends what the strategies ask about, and nothing that the SDK knows, for $name', ({ write }) => {
    const code = write('new-checkout', 'https://flags.example.com', ['userId', 'sessionId', 'plan-of-user', 'appName']);
    expect(code).toContain('plan-of-user');
    expect(code).toMatch(/session_?id/i);
    expect(code.split('\n').at(-1)).not.toContain('appName');
  });

  test('keeps userId and properties apart', () => {
    const [node] = sdkCodes;
    const write = (fields: readonly string[]) => node?.write('new-checkout', '', fields).split('\n').at(-1);
    expect(write(['userId', 'plan', 'plan-of-user'])).toBe(
      'unleash.isEnabled(\'new-checkout\', { userId, properties: { plan, "plan-of-user": planOfUser } });',
    );
    expect(write(['userId', '1st'])).toContain('{ "1st": value1st }');
    expect(write(['userId'])).toBe("unleash.isEnabled('new-checkout', { userId });");
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
