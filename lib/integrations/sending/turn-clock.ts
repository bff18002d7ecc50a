import { awsAddress, signForAws } from '../../helpers/sign-for-aws.ts';
import { postOut } from './post.ts';

/**
 * Enables or disables the rule of EventBridge that calls the function each minute. Without `CLOCK_RULE`, another rule always calls it.
 * @throws Error if EventBridge refuses.
 */
export async function turnClock(to: 'on' | 'off'): Promise<void> {
  const { CLOCK_RULE } = process.env;
  if (!CLOCK_RULE) return;
  const url = awsAddress('events');
  const body = JSON.stringify({ Name: CLOCK_RULE });
  const target = `AWSEvents.${to === 'on' ? 'EnableRule' : 'DisableRule'}`;
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
  const request = { target: '', url, headers: await signForAws('events', { url: new URL(url), headers, body }), body };
  const answer = await postOut(request, { allowedHosts: [new URL(url).hostname], ownPorts: [] });
  if (!('status' in answer) || answer.status !== 200) throw new Error(`EventBridge did not turn the clock ${to}.`);
}
