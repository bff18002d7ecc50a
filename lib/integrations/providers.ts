import type { AddonParameter, AddonProvider } from './addon-schema.ts';

/** The events of each provider, as in Unleash 7.6.5. */
const ofFeatures = [
  'feature-created',
  'feature-updated',
  'feature-archived',
  'feature-revived',
  'feature-stale-on',
  'feature-stale-off',
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-remove',
  'feature-strategy-update',
  'feature-strategy-add',
  'feature-metadata-updated',
  'feature-project-change',
  'feature-potentially-stale-on',
];

const ofReleasePlans = ['release-plan-progressions-paused', 'release-plan-progressions-resumed'];

const ofChangeRequests = [
  'change-request-created',
  'change-request-discarded',
  'change-added',
  'change-discarded',
  'change-request-approved',
  'change-request-approval-added',
  'change-request-cancelled',
  'change-request-sent-to-review',
  'change-request-applied',
  'change-request-scheduled',
  'change-request-scheduled-application-success',
  'change-request-scheduled-application-failure',
  'change-request-schedule-suspended',
];

const ofChanges = ['change-edited', 'change-request-rejected'];

const allBut = (events: readonly string[], without: readonly string[]) =>
  events.filter((event) => !without.includes(event));

const lifecycle = (...things: string[]) =>
  things.flatMap((thing) => [`${thing}-created`, `${thing}-updated`, `${thing}-deleted`]);

const headers: AddonParameter = {
  name: 'customHeaders',
  displayName: 'Extra HTTP Headers',
  type: 'textfield',
  description: 'Additional headers, as a JSON object with string values.',
  placeholder: '{\n  "X-TEAM": "checkout"\n}',
  required: false,
  sensitive: true,
};

const bodyTemplate: AddonParameter = {
  name: 'bodyTemplate',
  displayName: 'Body template',
  type: 'textfield',
  description: 'A mustache template of the body, such as {{event.type}}; {{{eventJson}}} is the whole event.',
  placeholder: '{\n  "event": "{{event.type}}",\n  "createdBy": "{{event.createdBy}}"\n}',
  required: false,
  sensitive: false,
};

const url = (provider: string, more: Partial<AddonParameter> = {}): AddonParameter => ({
  name: 'url',
  displayName: `${provider} URL`,
  type: 'url',
  description: 'Where events are sent.',
  required: true,
  sensitive: true,
  ...more,
});

const field = (name: string, displayName: string, description: string, more: Partial<AddonParameter> = {}) => ({
  ...{ name, displayName, description, type: 'text' as const, required: false, sensitive: false },
  ...more,
});

const tag = (name: string, description: string) => ({ name, description, icon: name.charAt(0).toUpperCase() });
const slackTag = tag('slack', 'Names the channels of Slack that hear of a feature.');
const deprecation = 'It is deprecated; use App for Slack.';

const docs = 'https://docs.getunleash.io/integrate';

const ofWebhook = [
  ...ofFeatures,
  'feature-completed',
  'feature-variants-updated',
  'feature-tagged',
  'feature-untagged',
  ...ofChangeRequests,
  ...ofReleasePlans,
];

/** The providers of Unleash 7.6.5 with their parameters and further ones, and EventBridge. */
export const providers: readonly AddonProvider[] = [
  {
    name: 'webhook',
    displayName: 'Webhook',
    description: 'Will post events to an address of your own.',
    documentationUrl: `${docs}/webhook`,
    howTo: 'Each event is a POST with JSON, or with what the body template makes of it.',
    parameters: [
      url('Webhook'),
      field('contentType', 'Content-Type', 'The content type of the body.', { placeholder: 'application/json' }),
      field('authorization', 'Authorization', 'The value of the Authorization header.', { sensitive: true }),
      headers,
      bodyTemplate,
      field(
        'signingSecret',
        'Signing secrets',
        'Sign each request by Standard Webhooks: up to three secrets with spaces between them, each whsec_ and what "openssl rand -base64 32" prints.',
        { sensitive: true },
      ),
      field('secret', 'Secret of the template', 'What {{secret}} stands for in the body template.', {
        sensitive: true,
      }),
    ],
    events: ofWebhook,
  },
  {
    name: 'slack',
    displayName: 'Slack',
    description: 'Will post events to channels of Slack by an incoming webhook.',
    documentationUrl: `${docs}/slack`,
    deprecated: deprecation,
    parameters: [
      url('Slack webhook'),
      field('username', 'Username', 'As whom to post.', { placeholder: 'Unleash' }),
      field('emojiIcon', 'Emoji Icon', 'The icon beside the name.', { placeholder: ':unleash:' }),
      field('defaultChannel', 'Default channel', 'Where to post of features without a tag of the type slack.', {
        required: true,
      }),
      headers,
    ],
    events: [...ofFeatures, 'feature-variants-updated', ...ofReleasePlans],
    tagTypes: [slackTag],
    alerts: [{ type: 'warning', text: deprecation }],
  },
  {
    name: 'slack-app',
    displayName: 'App for Slack',
    description: 'Will post events to channels of Slack as an app.',
    documentationUrl: `${docs}/slack-app`,
    howTo: 'The app hears of the channels by name, and by tags of the type slack. Invite it to private channels.',
    parameters: [
      field('accessToken', 'Access token', 'The token that installing the app gives.', {
        required: true,
        sensitive: true,
      }),
      field('defaultChannels', 'Channels', 'Channels that hear of everything, separated by commas.'),
    ],
    events: [
      ...allBut(ofFeatures, ['feature-updated']),
      'feature-deleted',
      'feature-environment-variants-updated',
      'feature-tagged',
      'feature-untagged',
      ...ofChangeRequests,
      ...ofChanges,
      ...ofReleasePlans,
      ...lifecycle('addon-config', 'context-field', 'group', 'banner', 'segment', 'service-account', 'user'),
      'api-token-created',
      'api-token-deleted',
      'project-created',
      'project-archived',
      'project-deleted',
      'user-access-request-registered',
      'user-access-request-approved',
      'user-access-request-rejected',
    ],
    tagTypes: [slackTag],
    installation: {
      url: 'https://app-for-slack.getunleash.io/install',
      title: 'Installation of the app',
      helpText: 'Install the app in your workspace, and paste the access token here.',
    },
  },
  {
    name: 'teams',
    displayName: 'Microsoft Teams',
    description: 'Will post events to Microsoft Teams.',
    documentationUrl: `${docs}/teams`,
    howTo: 'It posts a card to the address of a Workflow "Post to a channel when a webhook request is received".',
    parameters: [url('Microsoft Teams webhook'), headers],
    events: [...ofFeatures, 'feature-variants-updated', ...ofChangeRequests, ...ofChanges, ...ofReleasePlans],
  },
  {
    name: 'datadog',
    displayName: 'Datadog',
    description: 'Will post events to Datadog.',
    documentationUrl: `${docs}/datadog`,
    howTo: 'It posts to the events of Datadog, which show them beside your measurements.',
    parameters: [
      url('Datadog Events', {
        description: 'https://api.datadoghq.com/api/v1/events by default, which is the site US1.',
        required: false,
        sensitive: false,
      }),
      field('apiKey', 'Datadog API key', 'The key of your account.', { required: true, sensitive: true }),
      field('sourceTypeName', 'Datadog Source Type Name', 'What Datadog shows as the source.'),
      headers,
      bodyTemplate,
    ],
    events: [...ofFeatures, 'feature-environment-variants-updated'],
    tagTypes: [tag('datadog', 'Is sent to Datadog with the events of a feature.')],
  },
  {
    name: 'new-relic',
    displayName: 'New Relic',
    description: 'Will post events to the Event API of New Relic.',
    documentationUrl: docs,
    howTo: 'It posts to the Event API, where they can be queried as any other.',
    parameters: [
      url('New Relic Event', {
        description: 'Such as https://insights-collector.newrelic.com/v1/accounts/YOUR_ACCOUNT_ID/events.',
        sensitive: false,
      }),
      field('licenseKey', 'New Relic License Key', 'The key of your account.', { required: true, sensitive: true }),
      headers,
      bodyTemplate,
    ],
    events: [...ofFeatures, 'feature-environment-variants-updated'],
    tagTypes: [tag('new-relic', 'Is sent to New Relic with the events of a feature.')],
  },
  {
    name: 'eventbridge',
    displayName: 'Amazon EventBridge',
    description: 'Will put events on a bus of Amazon EventBridge.',
    documentationUrl: 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus.html',
    howTo:
      'Rules of the bus lead on to SNS, SQS, Step Functions and other accounts. The service needs the right to put events on it.',
    parameters: [
      field('busArn', 'ARN of the event bus', 'Such as arn:aws:events:eu-west-1:123456789012:event-bus/flags.', {
        required: true,
      }),
    ],
    events: ofWebhook,
  },
];
