import type { Template } from 'aws-cdk-lib/assertions';
import { memoryMegabytes } from '../../../infra/endpoint-function.ts';
import { millionGigabyteMilliseconds, prices } from '../../../infra/prices.ts';
import { resourcesOf, theOnly } from '../../infra/template.ts';

/**
 * Assumed figures of a call in a flood, which cannot be measured here: half of the calls are an evaluation with the
 * public token of a page, with an answer as large as that of a hundred flags, and the others are refused.
 */
export const assumedOfFlood = {
  millisecondsBilled: 10,
  /**
   * Bytes logged by the gateway and by the function, which logs one in a thousand of the successful calls to its URL.
   */
  bytesLogged: 1_500,
  bytesSent: 4_000,
};

/** The most that an hour of a flood may cost with default settings, in US dollars; the README says it. */
export const floodMax = 100;

/** Calls per second that a stack admits, and units per second that its table provides. */
export interface Bounds {
  readonly gatewayCalls: number;
  /** Calls to addresses of functions, which are bounded by how many executions there may be at once. */
  readonly urlCalls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

interface Throttle {
  readonly ThrottlingRateLimit: number;
}

/** Returns the bounds of a stack, from its template. A URL without a reserve is not bounded. */
export function boundsOf(template: Template): Bounds {
  const { DefaultRouteSettings, RouteSettings = {} } = theOnly(template, 'AWS::ApiGatewayV2::Stage').Properties as {
    readonly DefaultRouteSettings: Throttle;
    readonly RouteSettings?: Readonly<Record<string, Throttle>>;
  };
  const throttles = [DefaultRouteSettings, ...Object.values(RouteSettings)];
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const executions = [...resourcesOf(template, 'AWS::Lambda::Url').values()].map(({ Properties }) => {
    const [id = ''] = (Properties.TargetFunctionArn as { 'Fn::GetAtt': readonly string[] })['Fn::GetAtt'];
    return Number(functions.get(id)?.Properties.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY);
  });
  const { OnDemandThroughput } = theOnly(template, 'AWS::DynamoDB::Table').Properties as {
    readonly OnDemandThroughput: { readonly MaxReadRequestUnits: number; readonly MaxWriteRequestUnits: number };
  };
  return {
    gatewayCalls: sum(throttles.map(({ ThrottlingRateLimit }) => ThrottlingRateLimit)),
    urlCalls: (sum(executions) * 1_000) / assumedOfFlood.millisecondsBilled,
    readUnits: OnDemandThroughput.MaxReadRequestUnits,
    writeUnits: OnDemandThroughput.MaxWriteRequestUnits,
  };
}

/** Returns the cost in US dollars, by cause, of an hour in which callers use all that the bounds admit. */
export function floodHour({ gatewayCalls, urlCalls, readUnits, writeUnits }: Bounds): Readonly<Record<string, number>> {
  const { millisecondsBilled, bytesLogged, bytesSent } = assumedOfFlood;
  const millionsAnHour = (each: number) => (each * 3_600) / 1e6;
  const calls = millionsAnHour(gatewayCalls + urlCalls);
  const gigabyteMilliseconds = (millisecondsBilled * memoryMegabytes) / 1024;
  return {
    'API Gateway': millionsAnHour(gatewayCalls) * prices.millionGatewayRequests,
    'Lambda, calls': calls * prices.millionFunctionRequests,
    'Lambda, time': calls * gigabyteMilliseconds * millionGigabyteMilliseconds({ architecture: 'arm64' }),
    Logs: (calls * 1e6 * bytesLogged * prices.gigabyteLogged) / 1e9,
    'DynamoDB, all that the maxima give':
      millionsAnHour(readUnits) * prices.millionReadUnits + millionsAnHour(writeUnits) * prices.millionWriteUnits,
    'bytes sent': (calls * 1e6 * bytesSent * prices.gigabyteSent) / 1e9,
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, each) => total + each, 0);
}
