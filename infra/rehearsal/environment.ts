import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The variables that describe the machine, and its way to the network. All else that is set stays out. */
const kept = /^(PATH|HOME|USER|LANG|LC_\w+|(https?|no|all)_proxy|PIP_\w+|PYENV_\w+|\w*_CA_\w+|SSL_CERT_\w+)$/i;

/** The region and the account that the emulator plays. */
export const region = 'us-east-1';
export const emulatedAccount = '000000000000';

/**
 * The environment of every process of the rehearsal. No credentials, profile or address of anybody's AWS account get
 * into it: whatever goes wrong, it goes wrong here.
 */
export function baseEnvironment(directory: string): NodeJS.ProcessEnv {
  const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)));
  const { PATH = '', NO_PROXY = '' } = given;
  return {
    ...given,
    // The emulator looks for the functions' Node on the path, and the project brings the right one.
    PATH: [join(root, 'node_modules', '.bin'), dirname(process.execPath), PATH].join(':'),
    NO_PROXY: [NO_PROXY, '127.0.0.1', 'localhost'].filter((part) => part !== '').join(','),
    TMPDIR: directory,
    NO_COLOR: '1',
  };
}

/** Returns the variables that make the CDK, the SDK and our own commands take the emulator for AWS. */
export function awsEnvironment(directory: string, endpoint: string): NodeJS.ProcessEnv {
  const nowhere = join(directory, 'no-such-file');
  return {
    ...baseEnvironment(directory),
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'rehearsal',
    AWS_SECRET_ACCESS_KEY: 'rehearsal',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_CONFIG_FILE: nowhere,
    AWS_SHARED_CREDENTIALS_FILE: nowhere,
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_HOME: join(directory, 'cdk-home'),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
}
