import { expect, test, vi } from 'vitest';
import { awsEnvironment } from './environment.ts';

test('the rehearsal does not inherit variables that lead to an AWS account or to another store', () => {
  const realVariables = {
    AWS_PROFILE: 'production',
    AWS_SESSION_TOKEN: 'real',
    AWS_ACCESS_KEY_ID: 'real',
    AWS_SECRET_ACCESS_KEY: 'real',
    AWS_REGION: 'eu-central-1',
    AWS_CONFIG_FILE: '/home/real/.aws/config',
    AWS_SHARED_CREDENTIALS_FILE: '/home/real/.aws/credentials',
    AWS_ENDPOINT_URL_DYNAMODB: 'https://dynamodb.example.com',
    AWS_WEB_IDENTITY_TOKEN_FILE: '/real',
    CDK_DEFAULT_ACCOUNT: '999999999999',
    DYNAMODB_ENDPOINT: 'https://dynamodb.example.com',
    TABLE_NAME: 'real',
    NODE_OPTIONS: '--import real',
  };
  for (const [name, value] of Object.entries(realVariables)) vi.stubEnv(name, value);
  const environment = awsEnvironment('/throw-away', 'http://127.0.0.1:1');
  const text = JSON.stringify(environment);
  for (const value of Object.values(realVariables)) expect(text).not.toContain(value);
  expect(environment).toMatchObject({ AWS_ENDPOINT_URL: 'http://127.0.0.1:1', TMPDIR: '/throw-away' });
  expect(environment.PATH).toMatch(/^\S*node_modules\/\.bin:/);
});

test('a commit during the rehearsal does not change the stack', () => {
  vi.stubEnv('FLAGSTAFF_COMMIT', '0c1b1b78');
  expect(awsEnvironment('/throw-away', 'http://127.0.0.1:1')).toMatchObject({ FLAGSTAFF_COMMIT: 'rehearsal' });
});
