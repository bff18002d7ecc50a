import { datadog } from './datadog.ts';
import { eventBridge } from './event-bridge.ts';
import { newRelic } from './new-relic.ts';
import { type BuildDelivery, Unsendable } from './outgoing.ts';
import { slack, slackApp } from './slack.ts';
import { teams } from './teams.ts';
import { webhook } from './webhook.ts';

const providers: Readonly<Record<string, BuildDelivery>> = {
  webhook,
  slack,
  'slack-app': slackApp,
  teams,
  datadog,
  'new-relic': newRelic,
  eventbridge: eventBridge,
};

/** Builds the requests for an event by the provider of the integration. */
export const prepareDelivery: BuildDelivery = (addon, event, circumstances) => {
  const build = providers[addon.provider];
  if (build === undefined) throw new Unsendable(`The provider "${addon.provider}" is unknown.`);
  return build(addon, event, circumstances);
};
