import { authorizationFor } from './emulated.ts';
import { until } from './step.ts';

const patienceMs = 60_000;

async function call(endpoint: string, action: string, stackName: string): Promise<string> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization: authorizationFor('cloudformation') },
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
  await until(`the stack ${stackName} goes`, patienceMs, async () => !(await stackExists(endpoint, stackName)));
}
