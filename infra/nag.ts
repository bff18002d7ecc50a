import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/**
 * Checks the app against AWS's own rules whenever it is synthesized, which fails where one is broken. What is
 * acknowledged as an exception has its reason beside the resource that it is about.
 */
export function checkRules(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
