import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { settingsOf } from '../../infra/settings.ts';

test('without any context there is a setting for everything', () => {
  expect(settingsOf(new App())).toEqual({
    ephemeral: false,
    architecture: 'arm64',
    logRetention: 90,
    reservedConcurrency: undefined,
    concurrencyLimit: 1000,
    throttle: { ratePerSecond: 500, burst: 500 },
    corsOrigins: [],
    domain: undefined,
    alarmEmail: undefined,
  });
});

test('what the context says is taken, be it text from the command line or a value from cdk.json', () => {
  expect(settingsOf(new App({ context: { ephemeral: 'true', logRetentionDays: '7' } }))).toMatchObject({
    ephemeral: true,
    logRetention: 7,
  });
  expect(settingsOf(new App({ context: { ephemeral: true, logRetentionDays: 7 } }))).toMatchObject({
    ephemeral: true,
    logRetention: 7,
  });
});

test.each([
  { ephemeral: 'yes' },
  { architecture: 'vax' },
  { logRetentionDays: '42' },
  { logRetentionDays: '9999' },
  { reservedConcurrency: '0' },
  { concurrencyLimit: 'much' },
  { throttleRate: '1.5' },
  { throttleBurst: '-1' },
  { corsOrigins: '*' },
  { corsOrigins: 'http://a.example.com' },
  { corsOrigins: 'https://a.example.com/' },
  { domainName: 'flags.example.com' },
  { certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0123' },
  { certificateArn: 'mine', domainName: 'flags.example.com' },
  { alarmEmail: 'me' },
])('%o is refused before anything is deployed', (context) => {
  expect(() => settingsOf(new App({ context }))).toThrow(Object.keys(context)[0]);
});
