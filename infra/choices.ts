import { CfnParameter, type Stack, Validations } from 'aws-cdk-lib';
import { choiceNames, choiceOf } from './settings.ts';

const defaultValue = 'default';

/**
 * Stores the `-c` settings of a deployment in the stack, so that a later deployment does not drop one by mistake. Each setting is
 * a template parameter that allows only the value of this command. The CDK keeps the values of parameters from one deployment to
 * the next, so CloudFormation refuses a command with another value before it changes anything. With `--no-previous-parameters`
 * the settings of the command replace the stored ones.
 */
export function keepChoices(stack: Stack): void {
  Validations.of(stack).acknowledge({
    id: 'CloudFormation-Validate::W2001',
    reason: 'These parameters exist to be compared with those of the previous deployment.',
  });
  for (const name of choiceNames) {
    const value = choiceOf(stack, name) ?? defaultValue;
    new CfnParameter(stack, `Choice${nameInCamelCase(name)}`, {
      type: 'String',
      description: `The value of -c ${name}; do not set this parameter`,
      default: value,
      allowedValues: [value],
      constraintDescription: `must be the value of the previous deployment, but this command has ${name}=${value}. Repeat the -c ${name} of the previous deployment. To change it, add --no-previous-parameters and every -c setting that you want to keep`,
    });
  }
}

/** CloudFormation allows only letters and digits: `maxReadUnits` becomes `MaxReadUnits`, and `LOG_LEVEL` becomes `LogLevel`. */
function nameInCamelCase(name: string): string {
  const words = name.includes('_') ? name.toLowerCase().split('_') : [name];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
