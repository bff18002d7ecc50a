import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { handlerName } from './bundle.ts';

export interface EndpointFunctionProps {
  /** The directory in which each function's bundle has one of its own, named after the function. */
  readonly bundles: string;
  readonly role: IRole;
  readonly logGroup: ILogGroup;
  readonly environment: Record<string, string>;
  readonly description: string;
}

/** The function of one endpoint. */
export class EndpointFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, { bundles, ...props }: EndpointFunctionProps) {
    super(scope, id, {
      ...props,
      code: Code.fromAsset(join(bundles, id)),
      handler: handlerName,
      runtime: Runtime.NODEJS_24_X,
      architecture: architectureOf(scope),
      // Processor time comes in proportion to memory, and 1769 MB are worth one whole processor. With less, a cold
      // start and the reading of a large body take longer; with more, a single thread gains nothing.
      memorySize: 1769,
      // An HTTP API waits for 30 seconds and then answers in words that are not ours.
      timeout: Duration.seconds(29),
    });
  }
}

/** arm64 costs a fifth less; `-c architecture=x86_64` is for `sam local` on hosts that would have to emulate it. */
function architectureOf(scope: Construct): Architecture {
  const name: unknown = scope.node.tryGetContext('architecture') ?? 'arm64';
  if (name === 'arm64') return Architecture.ARM_64;
  if (name === 'x86_64') return Architecture.X86_64;
  throw new Error(`The architecture is arm64 or x86_64, not "${name}".`);
}
