import { App } from 'aws-cdk-lib';
import { runCommand } from '../commands/command.ts';
import { deploymentSettingsOf } from './deployment-settings.ts';
import { DeploymentStack } from './deployment-stack.ts';

const help = `Writes the CloudFormation template of the stack that lets GitHub deploy. The CDK runs this command. infra/deployment/README.md
lists the settings for -c.

  npx cdk synth --app 'node infra/deployment/app.ts' -c repository=OWNER/NAME [-c NAME=VALUE]...     (-h, --help: this text)`;

async function synthesizeDeployment(): Promise<void> {
  const app = new App();
  new DeploymentStack(app, deploymentSettingsOf(app));
  app.synth();
}

await runCommand({ name: 'synth', help, run: synthesizeDeployment });
