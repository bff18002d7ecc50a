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
 * Processor time comes in proportion to memory, and 1769 MB are worth one whole processor. With less, a cold start and
 * the reading of a large body take longer; with more, a single thread gains nothing.
 */
export const memoryMegabytes = 1769;

/**
 * Lambda writes a line only where a call failed. As text it would write three lines of every call, each of which is billed.
 * The function's own lines are JSON with a level already; `LOG_LEVEL` decides which of them are written.
 */
export const quietLogs = {
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: SystemLogLevel.WARN,
  applicationLogLevelV2: ApplicationLogLevel.TRACE,
};

export interface EndpointFunctionProps {
  /** The directory in which each function's bundle has one of its own, named after the function. */
  readonly bundles: string;
  readonly role: IRole;
  readonly logGroup: ILogGroup;
  readonly environment: Record<string, string>;
  readonly description: string;
  readonly settings: Pick<StackSettings, 'architecture' | 'reservedConcurrency'>;
}

/** The function of one endpoint. */
export class EndpointFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, { bundles, settings, ...props }: EndpointFunctionProps) {
    super(scope, id, {
      ...props,
      ...quietLogs,
      ...codeOf(bundles, id, settings),
      memorySize: memoryMegabytes,
      // An HTTP API waits for 30 seconds and then answers in words that are not ours.
      timeout: Duration.seconds(29),
      ...(settings.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: settings.reservedConcurrency,
      }),
      // X-Ray stays off: its part would be more than half of the bundle, and each request's log line has its id, its
      // time and its round trips already.
    });
    // Its name in the template is the operationId alone, by which `sam local invoke` finds it.
    (this.node.defaultChild as CfnFunction).overrideLogicalId(id);
  }
}

/** Properties of a function that say what runs, and on what: its bundle is in the folder of its name. */
export function codeOf(bundles: string, name: string, { architecture }: Pick<StackSettings, 'architecture'>) {
  return {
    code: Code.fromAsset(join(bundles, name)),
    handler: handlerName,
    runtime: Runtime.NODEJS_24_X,
    architecture: architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
  };
}
