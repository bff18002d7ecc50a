import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The environment variables of the machine and its network, which processes of the rehearsal inherit; no others. */
const inherited = /^(PATH|HOME|USER|LANG|LC_\w+|(https?|no|all)_proxy|PIP_\w+|PYENV_\w+|\w*_CA_\w+|SSL_CERT_\w+)$/i;

/** The region and the account of the emulator. */
export const region = 'us-east-1';
export const emulatedAccount = '000000000000';

/**
 * Returns the environment of every process of the rehearsal. It has no credentials, profile or address of a real AWS account,
 * so that no error can change a real account.
 */
export function baseEnvironment(directory: string): NodeJS.ProcessEnv {
  const variables = Object.fromEntries(Object.entries(process.env).filter(([name]) => inherited.test(name)));
  const { PATH = '', NO_PROXY = '' } = variables;
  return {
    ...variables,
    // The emulator takes the Node of the functions from the path. The project installs the right version.
    PATH: [join(root, 'node_modules', '.bin'), dirname(process.execPath), PATH].join(':'),
    NO_PROXY: [NO_PROXY, '127.0.0.1', 'localhost'].filter((part) => part !== '').join(','),
    TMPDIR: directory,
    NO_COLOR: '1',
  };
}

/** Returns the environment in which the CDK, the SDK and the commands of this project call the emulator instead of AWS. */
export function awsEnvironment(directory: string, endpoint: string): NodeJS.ProcessEnv {
  const missingFile = join(directory, 'no-such-file');
  return {
    ...baseEnvironment(directory),
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'rehearsal',
    AWS_SECRET_ACCESS_KEY: 'rehearsal',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_CONFIG_FILE: missingFile,
    AWS_SHARED_CREDENTIALS_FILE: missingFile,
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_HOME: join(directory, 'cdk-home'),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    // Templates name the commit of the checkout, in which somebody may go on working.
    FLAGSTAFF_COMMIT: 'rehearsal',
  };
}
