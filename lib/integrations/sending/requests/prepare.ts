import { datadog } from './datadog.ts';
import { eventBridge } from './event-bridge.ts';
import { newRelic } from './new-relic.ts';
import { type Preparing, Unsendable } from './outgoing.ts';
import { slack, slackApp } from './slack.ts';
import { teams } from './teams.ts';
import { webhook } from './webhook.ts';

const providers: Readonly<Record<string, Preparing>> = {
  webhook,
  slack,
  'slack-app': slackApp,
  teams,
  datadog,
  'new-relic': newRelic,
  eventbridge: eventBridge,
};

/** Makes the requests for an event by the provider of the integration. */
export const prepareDelivery: Preparing = (addon, event, circumstances) => {
  const preparing = providers[addon.provider];
  if (preparing === undefined) throw new Unsendable(`Nothing is known of the provider "${addon.provider}".`);
  return preparing(addon, event, circumstances);
};
