import { setTimeout as sleep } from 'node:timers/promises';
import { region } from './environment.ts';
import { RehearsalProblem } from './problem.ts';

const patienceMs = 60_000;
const pauseMs = 200;

/** The emulator looks only at which service and region a signature is for. */
const authorization = `AWS4-HMAC-SHA256 Credential=rehearsal/20260101/${region}/cloudformation/aws4_request, SignedHeaders=host, Signature=none`;

async function call(endpoint: string, action: string, stackName: string): Promise<string> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ Action: action, Version: '2010-05-15', StackName: stackName }),
    signal: AbortSignal.timeout(10_000),
  });
  return response.text();
}

/** Tells whether a stack of this name exists. */
export async function stackExists(endpoint: string, stackName: string): Promise<boolean> {
  return (await call(endpoint, 'DescribeStacks', stackName)).includes('<StackId>');
}

/**
 * Deletes a stack by its name, and is done when it is gone.
 * @throws RehearsalProblem when it stays.
 */
export async function deleteStack(endpoint: string, stackName: string): Promise<void> {
  await call(endpoint, 'DeleteStack', stackName);
  const deadline = Date.now() + patienceMs;
  while (await stackExists(endpoint, stackName)) {
    if (Date.now() > deadline) throw new RehearsalProblem(`The stack ${stackName} does not go.`);
    await sleep(pauseMs);
  }
}
