import type { Construct } from 'constructs';
import { keyArn } from '../account-settings.ts';
import { assertSettingsKnown, requireMatch, requireOneOf, requireTableName, stackNameOf } from '../settings.ts';

/** The checked settings of the stack that lets GitHub deploy. */
export interface DeploymentSettings {
  /** The name of the service's stack. */
  readonly stackName: string;
  /** The repository, `owner/name`. */
  readonly repository: string;
  /** The end of the subject of GitHub's tokens, which names the environment or the branch. */
  readonly subject: string;
  /** True if this stack creates GitHub's OIDC provider, of which an account has at most one. */
  readonly createsProvider: boolean;
  /** The qualifier of the bootstrapped environment. */
  readonly qualifier: string;
  /** The same settings as those of the service's stack. */
  readonly tableName: string | undefined;
  readonly smtpParameter: string | undefined;
  readonly encryptionKeyArn: string | undefined;
  readonly checkpointKeyArn: string | undefined;
}

/** The settings that the service's stack does not have. */
const deploymentNames = ['repository', 'environment', 'branch', 'provider', 'qualifier'];

/** Names with which the rights on the stack would include those who limit them: this stack, or the roles of the CDK. */
const reservedName = /^(?:deployment|cdk)(?:-|$)/i;

/**
 * Reads the settings from the context.
 * @throws Error for a value that cannot be deployed, and for an unknown setting: a mistyped branch would let in an environment. A
 * wildcard would let in others, so there is none.
 */
export function deploymentSettingsOf(scope: Construct): DeploymentSettings {
  assertSettingsKnown(scope, deploymentNames, 'infra/deployment/README.md');
  const textOf = (name: string): string | undefined => {
    const value: unknown = scope.node.tryGetContext(name);
    return value === undefined || value === '' ? undefined : String(value);
  };
  const matchOf = (name: string, pattern: RegExp, kind: string) => requireMatch(name, pattern, textOf(name), kind);
  const repository = matchOf('repository', /^[\w.-]+\/[\w.-]+$/, 'a repository such as acme/flags');
  if (repository === undefined) throw new Error('repository is needed, such as -c repository=acme/flags.');
  const environment = matchOf('environment', /^[\w.-]+$/, 'the name of a GitHub environment, without spaces');
  const branch = matchOf('branch', /^[\w./-]+$/, 'the name of a branch, without wildcards');
  if (environment !== undefined && branch !== undefined)
    throw new Error(
      'Only one of environment and branch can be set: a job with an environment has no branch in its token.',
    );
  const stackName = stackNameOf(scope);
  if (reservedName.test(stackName))
    throw new Error(`stackName must not begin with "Deployment-" or "cdk-", but it is "${stackName}".`);
  return {
    stackName,
    repository,
    subject: branch === undefined ? `environment:${environment ?? 'production'}` : `ref:refs/heads/${branch}`,
    createsProvider: requireOneOf('provider', ['existing', 'create'], textOf('provider') ?? 'existing') === 'create',
    qualifier: matchOf('qualifier', /^[a-z0-9]{1,10}$/, 'at most ten lower-case letters and digits') ?? 'flagstaff',
    tableName: requireTableName(textOf('tableName')),
    smtpParameter: matchOf('smtpParameter', /^\/[\w./-]+$/, 'the name of a parameter, such as /flagstaff/smtp'),
    encryptionKeyArn: matchOf('encryptionKeyArn', keyArn, 'the ARN of a key, and not of an alias'),
    checkpointKeyArn: matchOf('checkpointKeyArn', keyArn, 'the ARN of a key, and not of an alias'),
  };
}
