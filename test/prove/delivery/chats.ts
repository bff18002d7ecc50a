import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../../lib/events/event-schema.ts';
import { providers } from '../../../lib/integrations/providers.ts';
import { prepareDelivery } from '../../../lib/integrations/sending/requests/prepare.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { anAddon, anEvent } from '../../lib/integrations/sending/event.ts';
import { baseEnvironment, root } from '../../rehearsal/environment.ts';
import { RehearsalProblem, runProcess, tail } from '../../rehearsal/processes.ts';
import type { AtReceivers } from './receivers.ts';

// The cards' later versions cannot be loaded by Node.
const packages = ['adaptivecards@2.11.3', '@slack/web-api@8.2.0', '@slack/webhook@8.0.2'];
const patienceMs = 240_000;

const url = 'https://receiver.example/hook';
const chats = [
  {
    provider: 'slack-app',
    type: 'ChatPostMessageArguments',
    parameters: { accessToken: 'xoxb-1', defaultChannels: 'a' },
  },
  { provider: 'slack', type: 'IncomingWebhookSendArguments', parameters: { url, defaultChannel: 'a' } },
  { provider: 'teams', type: undefined, parameters: { url } },
] as const;

/**
 * Has Slack's own types check the messages for Slack, and Microsoft's own parser the cards for Teams: of each type of event that
 * is sent, with and without links, with long and with strange texts.
 */
export async function askChats(): Promise<AtReceivers> {
  using folder = temporaryFolder();
  const options = { env: baseEnvironment(folder.path), signal: AbortSignal.timeout(patienceMs) };
  const run = (program: string, ...args: readonly string[]) => runProcess(program, args, options);
  try {
    const install = await run('npm', 'install', '--silent', '--ignore-scripts', '--prefix', folder.path, ...packages);
    if (install.code !== 0)
      throw new RehearsalProblem(`npm cannot install ${packages.join(' ')}: ${tail(install.output, 5)}`);
    const slack = join(folder.path, 'slack.ts');
    writeFileSync(slack, slackSource());
    const flags = '--noEmit --strict --skipLibCheck --module nodenext --types node --ignoreConfig'.split(' ');
    const types = ['--typeRoots', join(root, 'node_modules/@types')];
    const checked = await run(join(root, 'node_modules/.bin/tsc'), ...flags, ...types, slack);
    const cards = bodiesOf(chats[2]);
    const script = join(folder.path, 'cards.cjs');
    writeFileSync(script, cardScript(cards));
    const parsed = await run(process.execPath, script);
    const findings = [checked, parsed].filter(({ code }) => code !== 0).map(({ output }) => tail(output, 5));
    const words = `${2 * cards.length} messages have the types of Slack's SDK, and Microsoft's parser takes ${cards.length} cards.`;
    return { passed: findings.length === 0, words: findings.length === 0 ? words : findings.join('\n') };
  } catch (error) {
    if (!(error instanceof RehearsalProblem)) throw error;
    return { passed: true, words: `The types of chats are left out: ${error.message}` };
  }
}

function bodiesOf({ provider, parameters }: (typeof chats)[number]): object[] {
  const types = (providers.find(({ name }) => name === provider)?.events ?? []) as readonly Event['type'][];
  const preData = { type: 'slack', value: 'team' };
  const events = types.flatMap((type) => [
    { event: anEvent({ type, preData }), publicUrl: 'https://flags.example.com' },
    { event: anEvent({ type, preData, createdBy: '<Zoë> "&" *🎉*'.repeat(500) }), publicUrl: undefined },
    { event: anEvent({ type, preData, project: null, featureName: null }), publicUrl: 'https://flags.example.com' },
  ]);
  return events.map(({ event, publicUrl }) => {
    const circumstances = { publicUrl, groupId: '1', at: Date.now() };
    const [request] = prepareDelivery(anAddon(parameters, { provider }), event, circumstances).requests;
    return JSON.parse(String(request?.body));
  });
}

/** Messages as literals, so that each property has to be one of the type. */
function slackSource(): string {
  const [app, webhook] = chats;
  const constants = (chat: (typeof chats)[number], name: string) =>
    bodiesOf(chat).map((body, index) => `export const ${name}${index}: ${chat.type} = ${JSON.stringify(body)};`);
  return [
    `import type { ${app.type} } from '@slack/web-api';`,
    `import type { ${webhook.type} } from '@slack/webhook';`,
    ...constants(app, 'app'),
    ...constants(webhook, 'webhook'),
  ].join('\n');
}

/** Ends with 1, and the findings, where a card is not one of version 1.4. */
function cardScript(messages: readonly object[]): string {
  return `
    const { AdaptiveCard, SerializationContext, Versions } = require('adaptivecards');
    const findings = ${JSON.stringify(messages)}.flatMap(({ attachments: [{ content }] }) => {
      const card = new AdaptiveCard();
      const context = new SerializationContext(Versions.v1_4);
      card.parse(content, context);
      const parsed = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
      return [...parsed, ...card.validateProperties().validationEvents.map(({ message }) => message)];
    });
    console.log(findings.join('\\n'));
    process.exitCode = Math.min(findings.length, 1);`;
}
