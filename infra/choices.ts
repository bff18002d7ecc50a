import { CfnParameter, type Stack, Validations } from 'aws-cdk-lib';
import { choiceNames, choiceOf } from './settings.ts';

const unchosen = 'default';

/**
 * Keeps the choices of a deployment in the stack, so that a later one does not drop them unnoticed: each is a parameter
 * that takes what this command chooses and nothing else. The CDK keeps the values of parameters from one deployment to
 * the next, so CloudFormation refuses, before it touches anything, a command that chooses otherwise; with
 * `--no-previous-parameters` the choices of the command replace those that are kept.
 */
export function keepChoices(stack: Stack): void {
  Validations.of(stack).acknowledge({
    id: 'CloudFormation-Validate::W2001',
    reason: 'The parameters of the choices are there to be compared with those of the deployment before.',
  });
  for (const name of choiceNames) {
    const chosen = choiceOf(stack, name) ?? unchosen;
    new CfnParameter(stack, `Choice${nameInCamelCase(name)}`, {
      type: 'String',
      description: `The choice of -c ${name}; do not set it here`,
      default: chosen,
      allowedValues: [chosen],
      constraintDescription: `must be what the stack was deployed with: this command says ${name}=${chosen}. Repeat the -c ${name} of before, or add --no-previous-parameters, with every choice that is to hold, to change it`,
    });
  }
}

/** CloudFormation takes letters and digits only: `maxReadUnits` is `MaxReadUnits`, and `LOG_LEVEL` is `LogLevel`. */
function nameInCamelCase(name: string): string {
  const words = name.includes('_') ? name.toLowerCase().split('_') : [name];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
