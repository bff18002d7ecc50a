import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { handlerName } from './bundle.ts';
import type { StackSettings } from './settings.ts';

/**
 * Lambda allocates processor time in proportion to memory; 1769 MB is one full processor. With less memory, cold starts and large
 * bodies take longer. With more, a single thread gains nothing.
 */
export const memoryMegabytes = 1769;

/**
 * The form of logs that costs the least. With JSON, Lambda itself writes a line only if a call failed. As text, it would write three lines
 * for each call, and each line is billed. The function's own lines are JSON with a level already; `LOG_LEVEL` filters them.
 */
export const quietLogs = {
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: SystemLogLevel.WARN,
  applicationLogLevelV2: ApplicationLogLevel.TRACE,
};

export interface EndpointFunctionProps {
  /** The directory with the bundles: one directory for each function, with the function's name. */
  readonly bundles: string;
  readonly role: IRole;
  readonly logGroup: ILogGroup;
  readonly environment: Record<string, string>;
  readonly description: string;
  readonly settings: Pick<StackSettings, 'architecture' | 'reservedConcurrency'>;
}

/** A Lambda function that serves one or more endpoints. */
export class EndpointFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, { bundles, settings, ...props }: EndpointFunctionProps) {
    super(scope, id, {
      ...props,
      ...quietLogs,
      ...codeOf(bundles, id, settings),
      memorySize: memoryMegabytes,
      // An HTTP API waits for 30 seconds, and then sends an answer in its own format.
      timeout: Duration.seconds(29),
      ...(settings.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: settings.reservedConcurrency,
      }),
      // X-Ray stays off. It would be more than half of the bundle, and the log line of each request has its id, its duration and
      // its round trips already.
    });
    // The logical id is the operationId alone, which `sam local invoke` takes.
    (this.node.defaultChild as CfnFunction).overrideLogicalId(id);
  }
}

/** Returns the code, handler, runtime and architecture of a function. Its bundle is in the folder with its name. */
export function codeOf(bundles: string, name: string, { architecture }: Pick<StackSettings, 'architecture'>) {
  return {
    code: Code.fromAsset(join(bundles, name)),
    handler: handlerName,
    runtime: Runtime.NODEJS_24_X,
    architecture: architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
  };
}
