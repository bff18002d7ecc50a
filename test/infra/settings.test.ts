import { expect, test, vi } from 'vitest';
import { settingsOf, stackNameOf } from '../../infra/settings.ts';
import { scopeWith } from './scope.ts';
import { checkpointKeyArn } from './synthesize.ts';

const settingsWith = (context: Readonly<Record<string, unknown>> = {}) => settingsOf(scopeWith(context), 'Test');

test('without any context, every setting has a default', () => {
  expect(settingsWith()).toEqual({
    ephemeral: false,
    eventBuses: [],
    integrations: true,
    safeguardAlarms: undefined,
    tableName: undefined,
    maxReadUnits: 10_000,
    maxWriteUnits: 10_000,
    architecture: 'arm64',
    logRetention: 90,
    functions: 'many',
    reservedConcurrency: undefined,
    sdkConcurrency: undefined,
    concurrencyLimit: 1000,
    throttle: { ratePerSecond: 500, burst: 500 },
    corsOrigins: [],
    domain: undefined,
    isApiClosed: false,
    console: 'flagstaff',
    alarmEmail: undefined,
    publicUrl: undefined,
    emailSender: undefined,
    smtpParameter: undefined,
    encryptionKeyArn: undefined,
    checkpointKeyArn: undefined,
    checkpointLockDays: undefined,
    tags: {},
    permissionsBoundary: undefined,
    metricsNamespace: 'Test',
  });
});

test('the context sets values, as text from the command line or as values from cdk.json', () => {
  expect(settingsWith({ ephemeral: 'true', logRetentionDays: '7' })).toMatchObject({
    ephemeral: true,
    logRetention: 7,
  });
  expect(settingsWith({ ephemeral: true, logRetentionDays: 7 })).toMatchObject({
    ephemeral: true,
    logRetention: 7,
  });
});

test('the public address is publicUrl, or else the domain', () => {
  const domain = { domainName: 'flags.example.com', certificateArn: 'arn:aws:acm:eu-central-1:1:certificate/0' };
  expect(settingsWith(domain).publicUrl).toBe('https://flags.example.com');
  expect(settingsWith({ ...domain, publicUrl: 'https://cdn.example.com/' }).publicUrl).toBe('https://cdn.example.com');
});

test.each([
  ['true', 'unleash'],
  ['false', 'off'],
  ['off', 'off'],
  ['unleash', 'unleash'],
  ['flagstaff', 'flagstaff'],
])('console=%s chooses %s', (console, chosen) => {
  expect(settingsWith({ console })).toMatchObject({ console: chosen });
});

test.each([
  { ephemeral: 'yes' },
  { console: 'perhaps' },
  { architecture: 'vax' },
  { logRetentionDays: '42' },
  { logRetentionDays: '9999' },
  { reservedConcurrency: '0' },
  { sdkConcurrency: '0' },
  { concurrencyLimit: 'much' },
  { throttleRate: '1.5' },
  { throttleBurst: '-1' },
  { corsOrigins: '*' },
  { corsOrigins: 'http://a.example.com' },
  { corsOrigins: 'https://a.example.com/' },
  { domainName: 'flags.example.com' },
  { certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0123' },
  { certificateArn: 'mine', domainName: 'flags.example.com' },
  { publicUrl: 'http://flags.example.com' },
  { publicUrl: 'https://flags.example.com/console' },
  { alarmEmail: 'me' },
  { emailSender: '*@example.com' },
  { smtpParameter: '/flags/smtp' },
  { smtpParameter: 'smtp', emailSender: 'flags@example.com' },
  { smtpParameter: '/aws/smtp', emailSender: 'flags@example.com' },
  { encryptionKeyArn: 'arn:aws:kms:eu-central-1:123456789012:alias/flags' },
  { encryptionKeyArn: '1234abcd' },
  { checkpointKeyArn: 'alias/checkpoints' },
  { checkpointLockDays: '30' },
  { checkpointLockDays: '0', checkpointKeyArn },
  { checkpointLockDays: 'forever', checkpointKeyArn },
  { checkpointLockDays: '36501', checkpointKeyArn },
  { permissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary' },
  { api: 'private' },
  { api: 'closed' },
  { api: 'closed', publicUrl: 'https://flags.example.com', sdkConcurrency: '20' },
  { api: 'closed', publicUrl: 'https://flags.example.com', reservedConcurrency: '5' },
  { tags: 'team' },
  { tags: 'aws:team=flags' },
  { tags: 'team=flags,team=others' },
  { tableName: 'a table' },
  { maxReadUnits: '0' },
  { maxWriteUnits: 'all' },
  { metricsNamespace: 'AWS/Flags' },
])('%o is refused before anything is deployed', (context) => {
  expect(() => settingsWith(context)).toThrow(Object.keys(context)[0]);
});

test('a key of another region than that of the deployment is refused', () => {
  const encryptionKeyArn = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab';
  vi.stubEnv('CDK_DEFAULT_REGION', 'eu-central-1');
  expect(settingsWith({ encryptionKeyArn })).toMatchObject({ encryptionKeyArn });
  vi.stubEnv('CDK_DEFAULT_REGION', 'eu-west-1');
  expect(() => settingsWith({ encryptionKeyArn })).toThrow(
    'a key in eu-central-1, but the stack is deployed in eu-west-1',
  );
});

test('tags are names with values, which may contain "="', () => {
  expect(settingsWith({ tags: 'team=flags, cost center=a=42,empty=' }).tags).toEqual({
    team: 'flags',
    'cost center': 'a=42',
    empty: '',
  });
});

test('the stack can have another name, if CloudFormation accepts it', () => {
  const nameWith = (context: Record<string, unknown>) => stackNameOf(scopeWith(context));
  expect(nameWith({})).toBe('Flagstaff');
  expect(nameWith({ stackName: 'Flagstaff-test' })).toBe('Flagstaff-test');
  expect(() => nameWith({ stackName: '2nd' })).toThrow('stackName');
  // A rule of EventBridge, `<name>-schedules`, has at most 64 characters.
  expect(nameWith({ stackName: 'a'.repeat(54) })).toHaveLength(54);
  expect(() => nameWith({ stackName: 'a'.repeat(55) })).toThrow('stackName');
});
