import { log } from '../lib/http/log.ts';
import { version } from '../lib/http/version.ts';
import type { AddressRules } from '../lib/integrations/sending/address-rules.ts';
import { postOut } from '../lib/integrations/sending/post.ts';
import { type AttemptLine, realClock, type Sender } from '../lib/integrations/sending/sender.ts';
import { createEnvironmentRequest } from '../lib/request.ts';
import { readPublicUrl } from '../lib/values/web-address.ts';

/**
 * Creates a sender for the store that the environment names, which uses the network and the real clock.
 * @param onAttempt is called with each attempt, in addition to the log.
 */
export function createSender(
  rules: AddressRules,
  signal: AbortSignal,
  onAttempt?: (line: AttemptLine) => void,
): Sender {
  return {
    request: createEnvironmentRequest(),
    post: (request) => postOut(request, rules),
    clock: realClock,
    publicUrl: readPublicUrl,
    userAgent: `Flagstaff/${version}`,
    log(line) {
      // The type of the event is left out: the log contains nothing of the content that was sent.
      const { level, type: _type, ...fields } = line;
      log(level, 'Integration', fields);
      onAttempt?.(line);
    },
    warn: (sentence) => log('WARN', `${sentence}.`, {}),
    signal,
    rateLimits: new Map(),
  };
}
