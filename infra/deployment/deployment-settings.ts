import type { Construct } from 'constructs';
import { stackNameOf } from '../settings.ts';

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
  /** As for the service's stack. */
  readonly tableName: string | undefined;
  readonly smtpParameter: string | undefined;
  readonly encryptionKeyArn: string | undefined;
}

/**
 * Reads the settings from the context.
 * @throws Error for a value that cannot be deployed. A wildcard would let in others, so there is none.
 */
export function deploymentSettingsOf(scope: Construct): DeploymentSettings {
  const textOf = (name: string, pattern: RegExp): string | undefined => {
    const value: unknown = scope.node.tryGetContext(name);
    if (value === undefined || value === '') return undefined;
    if (!pattern.test(String(value))) throw new Error(`${name} must match ${pattern}, not "${value}".`);
    return String(value);
  };
  const repository = textOf('repository', /^[\w.-]+\/[\w.-]+$/);
  if (repository === undefined) throw new Error('repository is needed, such as -c repository=acme/flags.');
  const environment = textOf('environment', /^[\w.-]+$/);
  const branch = textOf('branch', /^[\w./-]+$/);
  if (environment !== undefined && branch !== undefined)
    throw new Error(
      'Only one of environment and branch can be set: a job with an environment has no branch in its token.',
    );
  return {
    stackName: stackNameOf(scope),
    repository,
    subject: branch === undefined ? `environment:${environment ?? 'production'}` : `ref:refs/heads/${branch}`,
    createsProvider: textOf('provider', /^(create|existing)$/) === 'create',
    qualifier: textOf('qualifier', /^[a-z0-9]{1,10}$/) ?? 'flagstaff',
    tableName: textOf('tableName', /^[\w.-]{3,255}$/),
    smtpParameter: textOf('smtpParameter', /^\/[\w./-]+$/),
    encryptionKeyArn: textOf('encryptionKeyArn', /^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/),
  };
}
