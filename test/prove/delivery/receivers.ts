import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareDelivery } from '../../../lib/integrations/sending/requests/prepare.ts';
import { signWebhook } from '../../../lib/integrations/sending/signature.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { anAddon, anEvent } from '../../lib/integrations/sending/event.ts';
import { baseEnvironment } from '../../rehearsal/environment.ts';
import { RehearsalProblem, runProcess, tail } from '../../rehearsal/processes.ts';
import { findPython, installPackages } from '../../rehearsal/python.ts';

const packages = ['standardwebhooks==1.1.0', 'moto[events]==5.2.5', 'boto3==1.44.8'];
const patienceMs = 240_000;
const messageCount = 1_000;

/** The outcome at receivers that others wrote; the reason where this machine lacks what they need. */
export type AtReceivers = { readonly passed: boolean; readonly words: string };

/**
 * Has messages verified by the official verifier of Standard Webhooks in Python, by each of two secrets, and events put on a bus
 * by AWS's own SDK for Python.
 */
export async function askReceivers(): Promise<AtReceivers> {
  using folder = temporaryFolder();
  try {
    const options = { env: baseEnvironment(folder.path), signal: AbortSignal.timeout(patienceMs) };
    const bin = await installPackages(await findPython(options), packages, folder.path, options);
    const { entries, ...signed } = given();
    const file = join(folder.path, 'given.json');
    writeFileSync(file, JSON.stringify({ ...signed, entries }));
    const script = fileURLToPath(new URL('receivers.py', import.meta.url));
    const { code, stdout, output } = await runProcess(join(bin, 'python'), [script, file], options);
    if (code !== 0) return { passed: false, words: tail(output, 10) };
    const { verified, forged, taken } = JSON.parse(stdout);
    return {
      passed: verified === 2 * messageCount && forged === 0 && taken === entries.length,
      words: `${verified} of ${2 * messageCount} signatures and ${forged} of ${2 * messageCount} forged ones verified in Python, ${taken} of ${entries.length} events taken by EventBridge's SDK and moto.`,
    };
  } catch (error) {
    if (!(error instanceof RehearsalProblem)) throw error;
    return { passed: true, words: `Python's receivers are left out: ${error.message}` };
  }
}

function given() {
  const [first = '', second = '', other = ''] = [1, 2, 3].map(
    (byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
  );
  const timestamp = Math.floor(Date.now() / 1_000);
  const messages = Array.from({ length: messageCount }, (_, index) => {
    const message = {
      id: `ev_a_${index}`,
      timestamp,
      body: JSON.stringify(anEvent({ id: index, createdBy: 'Zoë "&" 🎉' })),
    };
    return { ...message, signature: signWebhook(message, `${first} ${second}`) };
  });
  const addon = anAddon(
    { busArn: 'arn:aws:events:us-east-1:123456789012:event-bus/flags' },
    { provider: 'eventbridge' },
  );
  const events = [
    anEvent(),
    anEvent({ project: null, featureName: null }),
    anEvent({ data: { name: 'a'.repeat(300_000) } }),
  ];
  const entries = events.flatMap((event) => {
    const { requests } = prepareDelivery(addon, event, { publicUrl: undefined, groupId: '1', at: Date.now() });
    return requests.flatMap(({ body }) => JSON.parse(String(body)).Entries);
  });
  return { messages, secrets: [first, second], other, entries };
}
