import { log } from '../lib/http/log.ts';
import { version } from '../lib/http/version.ts';
import type { AddressRules } from '../lib/integrations/sending/address-rules.ts';
import { postOut } from '../lib/integrations/sending/post.ts';
import { type AttemptLine, realClock, type Sender } from '../lib/integrations/sending/sender.ts';
import { createEnvironmentRequest } from '../lib/request.ts';
import { readPublicUrl } from '../lib/values/web-address.ts';

/** Makes a sender for the store that the environment names, over the network and in real time. */
export function realSender(rules: AddressRules, signal: AbortSignal, also?: (line: AttemptLine) => void): Sender {
  return {
    work: createEnvironmentRequest(),
    post: (request) => postOut(request, rules),
    clock: realClock,
    publicUrl: readPublicUrl,
    userAgent: `Flagstaff/${version}`,
    log(line) {
      // The type is what somebody has asked to be told of, and the log holds nothing that was sent.
      const { level, type: _type, ...fields } = line;
      log(level, 'Integration', fields);
      also?.(line);
    },
    warn: (sentence) => log('WARN', `${sentence}.`, {}),
    signal,
    rateLimits: new Map(),
  };
}
