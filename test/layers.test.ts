import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';

/** The rooms of `lib`, from the bottom to the top. A room imports only rooms on lower floors, and none beside it. */
const floors: readonly (readonly string[])[] = [
  ['activities.ts', 'errors.ts'],
  ['helpers', 'limits.ts', 'store'],
  ['request.ts'],
  ['events', 'idempotency', 'migrations'],
  ['entity'],
  ['banners', 'environments', 'strategy-types', 'tags'],
  ['identity'],
  ['projects', 'settings'],
  ['context-fields', 'integrations', 'tokens'],
  ['people', 'segments'],
  ['features', 'pages', 'sign-in'],
  ['backup', 'delivery', 'history', 'release-plans', 'scim'],
  ['change-requests', 'usage'],
  ['http', 'provisioning', 'safeguards', 'search', 'time-travel', 'trends'],
  ['clock', 'imports', 'insights'],
  ['screens'],
  // Runs in browsers.
  ['console'],
];

/** Layers that may not import every room below them. Each room of `lib` without a row may. */
const allowed: Record<string, readonly string[]> = {
  functions: ['lib/*', 'schemas'],
  'lib/http': [
    'schemas',
    'lib/errors.ts',
    'lib/limits.ts',
    'lib/request.ts',
    'lib/store',
    // The idempotency record of a request that may be repeated.
    'lib/idempotency',
    // The steps that follow from a change of flags.
    'lib/entity/effects.ts',
    // The caller of a request, and the permissions that the caller has.
    'lib/identity',
    // Sessions of browsers, and the ways to sign in, which a refusal names.
    'lib/sign-in/sessions.ts',
    'lib/sign-in/ways.ts',
    // Whether changes are refused for now, and which sites may read answers.
    'lib/settings/maintenance.ts',
    'lib/settings/frontend-origins.ts',
    // How many calls there were.
    'lib/usage/traffic.ts',
  ],
  'lib/console': [
    'schemas',
    // Browsers evaluate flags with the code of the service.
    'lib/delivery/evaluation/context.ts',
    'lib/delivery/evaluation/evaluation.ts',
    'lib/delivery/evaluation/explanation.ts',
    // Both show the effect of a change before it is made.
    'lib/delivery/preview/audience.ts',
    'lib/delivery/preview/condition-values.ts',
    'lib/delivery/preview/live-strategies.ts',
    'lib/delivery/preview/state-after.ts',
    'lib/delivery/preview/typed-context.ts',
    // Lists and pages mean the same by "everybody".
    'lib/features/strategies/served-users.ts',
  ],
  'lib/helpers': ['schemas', 'lib/errors.ts'],
  schemas: [],
  infra: ['functions/index.ts', 'functions/folders.ts', 'functions/service/not-found.ts', 'lib/*', 'schemas'],
};

/** Packages, and the layers that alone may import them; every layer may import Node's own modules and valibot. */
const owners: Record<string, string | readonly string[]> = {
  // The version of this release, and nothing else of it.
  'package.json': 'lib/http',
  '@aws-lambda-powertools/logger': 'lib/http',
  '@middy/core': 'lib/http',
  '@middy/http-json-body-parser': 'lib/http',
  '@valibot/to-json-schema': 'lib/http',
  'aws-lambda': 'lib/http',
  'swagger-ui-dist': 'lib/pages',
  // Types of the protocol, which the embedded store speaks, too.
  '@aws-sdk/client-dynamodb': ['lib/store', 'infra'],
  '@aws-sdk/credential-provider-node': 'lib/store',
  '@smithy/core': ['lib/store', 'lib/helpers'],
  '@smithy/types': 'lib/store',
  '@smithy/node-http-handler': 'lib/store',
  '@smithy/signature-v4': ['lib/store', 'lib/helpers'],
  'p-limit': ['lib/store', 'lib/change-requests', 'lib/integrations', 'lib/sign-in', 'infra'],
  '@node-saml/node-saml': 'lib/sign-in',
  'openid-client': 'lib/sign-in',
  mustache: 'lib/integrations',
  preact: 'lib/console',
  '@preact/signals': 'lib/console',
  re2js: ['lib/delivery', 'lib/console', 'schemas'],
  'scim2-parse-filter': 'lib/scim',
  semver: 'lib/delivery',
  'unleash-client': 'infra',
  'fast-json-patch': 'lib/helpers',
  'aws-cdk-lib': 'infra',
  'cdk-nag': 'infra',
  'big.js': 'infra',
  'prom-client': 'infra',
  '@opentelemetry/api': 'infra',
  '@opentelemetry/core': 'infra',
  '@opentelemetry/exporter-trace-otlp-http': 'infra',
  '@opentelemetry/resources': 'infra',
  '@opentelemetry/sdk-trace': 'infra',
  nodemailer: 'lib/sign-in',
  tar: 'infra',
  constructs: 'infra',
  esbuild: 'infra',
  rolldown: 'infra',
};

/** The files whose every row loads what it names: the addresses of the console their screens, the names of commands their programs. */
const loaders = ['lib/console/routes.ts', 'infra/program/programs.ts'];

/** The other files that load another only when they need it. */
const deferred = [
  // The code that evaluates flags, and the engine of regular expressions, are loaded when somebody asks who gets a flag.
  'lib/console/data/client.ts → lib/console/data/word-refusal.ts',
  'lib/console/flag/flag.tsx → lib/console/flag/flag-charts.tsx',
  'lib/console/flag/flag.tsx → lib/console/why/why.tsx',
  'lib/console/past/load-past.ts → lib/console/past/past.tsx',
  'lib/console/strategy/strategy-editor.tsx → lib/console/why/why.tsx',
  'lib/console/preview/use-audience.ts → lib/console/preview/measure-change.ts',
  'lib/console/preview/stand-ins/re2.ts → re2js/whole',
  // Two pages show these parts: they load them with the page to which they belong.
  'lib/console/release-templates/strategy-dialog.tsx → lib/console/strategy/strategy-editor.tsx',
  'lib/console/project-settings/settings-page.tsx → lib/console/release-templates/templates.tsx',
  // Most readers of a flag change nothing.
  'lib/console/flag/flag-menu.tsx → lib/console/flag/flag-dialogs.tsx',
  'lib/console/flag/flag-menu.tsx → lib/console/flag/flag-charts.tsx',
  'lib/console/flag/environment-card.tsx → lib/console/flag/environment-part.tsx',
  // Two people seldom change the same.
  'lib/console/parts/edits/use-edits.tsx → lib/console/parts/edits/conflict-dialog.tsx',
  // Few people open the palette before a page is drawn.
  'lib/console/shell/app.tsx → lib/console/shell/palette.tsx',
  // The registry holds this endpoint, so it can be looked at only once it is complete.
  'functions/service/api-reference.ts → functions/index.ts',
  // The registry is all that it says, so it loads it with the first request that needs it.
  'functions/service/not-found.ts → functions/index.ts',
  // Most starts find a console that is built, and a machine without development dependencies has no esbuild.
  'infra/console/refresh-console.ts → esbuild',
  'infra/console/refresh-console.ts → infra/console/build-console.ts',
  // The compile cache keeps only modules that load after it is open.
  'infra/local/start.ts → infra/local/run.ts',
  // The functions load while the store starts.
  'infra/local/run.ts → infra/local/clock.ts',
  'infra/local/run.ts → infra/local/serve.ts',
  'infra/local/run.ts → infra/local/streams.ts',
  'infra/local/run.ts → infra/local/sending.ts',
  // Few processes send mails, and none does at its start.
  // Most servers are asked for no metrics and send no traces.
  'infra/local/metrics/print.ts → prom-client',
  'infra/local/observe.ts → infra/local/traces/tracing.ts',
  'lib/sign-in/send-by-smtp.ts → nodemailer',
  // Most starts read no seed file.
  'infra/local/serve.ts → infra/read-seed-file.ts',
  // Functions find their credentials in the environment; only other programs on AWS search for them.
  'lib/store/client/network.ts → @aws-sdk/credential-provider-node',
  // Few sign in by SAML, and what reads its XML is a hundred modules.
  'lib/sign-in/sso/saml.ts → @node-saml/node-saml',
  'lib/sign-in/sso/saml-answer.ts → @node-saml/node-saml/lib/xml.js',
];

interface Import {
  readonly file: string;
  /** A file of ours, or the name of a package. */
  readonly target: string;
  readonly kind: 'value' | 'type' | 'deferred';
}

const sources = globSync('{functions,lib,infra}/**/*.{ts,tsx}').toSorted();
const data = globSync('{functions,lib,infra}/**/*.json');
const texts = new Map([...sources, ...data].map((file) => [file, readFileSync(file, 'utf8')]));
const imports = sources.flatMap(importsOf);
const ownImports = imports.filter(({ target }) => texts.has(target));

function importsOf(file: string): Import[] {
  const text = texts.get(file) ?? '';
  const targetOf = (name = '') => (name.startsWith('.') ? join(dirname(file), name) : name);
  const lines = text.matchAll(/^(?:import|export)\b( type\b)?[^'"`;]*\bfrom '([^']+)'(?: with \{ type: 'json' \})?;/gm);
  const calls = text.matchAll(/\bimport\(\s*(?:'([^']+)')?/g);
  return [
    ...[...lines].map(([, type, name]): Import => ({ file, target: targetOf(name), kind: type ? 'type' : 'value' })),
    ...[...calls].map(([, name]): Import => ({ file, target: targetOf(name), kind: 'deferred' })),
  ];
}

/** The folder that the rules are about: `functions`, `infra`, or the room of `lib`. Schemas are one layer, whatever room they are in. */
function layerOf(file: string): string {
  if (/^lib\/(?:values\/|.*-schema\.ts$)/.test(file)) return 'schemas';
  const [top = '', part = ''] = file.split('/');
  return top === 'lib' ? `lib/${part}` : top;
}

const packageOf = (target: string) => target.split('/', target.startsWith('@') ? 2 : 1).join('/');

/** Returns the number of a layer's floor, counted from the bottom; -1 for what is no room of `lib`. */
const floorOf = (layer: string) => floors.findIndex((rooms) => rooms.some((room) => layer === `lib/${room}`));

function isAllowed({ file, target }: Import): boolean {
  const [from, to] = [layerOf(file), layerOf(target)];
  const targets = [to, target, ...(to.startsWith('lib/') ? ['lib/*'] : [])];
  return from === to || (allowed[from] ?? ['lib/*', 'schemas']).some((each) => targets.includes(each));
}

/** A way round in a directed graph, from somewhere back to there; undefined where there is none. */
function circleIn(edges: readonly (readonly [from: string, to: string])[]): string[] | undefined {
  const next = Map.groupBy(edges, ([from]) => from);
  const done = new Set<string>();
  function walk(node: string, path: readonly string[]): string[] | undefined {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const [, to] of next.get(node) ?? []) {
      const circle = walk(to, [...path, node]);
      if (circle !== undefined) return circle;
    }
    done.add(node);
    return undefined;
  }
  for (const node of next.keys()) {
    const circle = walk(node, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

const describeImport = ({ file, target }: Import) => `${file} → ${target}`;

describe('the imports of the source', () => {
  test('are all seen by this test', () => {
    expect(sources.length).toBeGreaterThan(100);
    const lines = [...texts.values()].flatMap((text) => text.match(/^\S.* from '[^']+'( with \{.*\})?;$/gm) ?? []);
    expect(imports.filter(({ kind }) => kind !== 'deferred')).toHaveLength(lines.length);
  });

  test('name files that exist, with their endings', () => {
    const missing = imports.filter(
      ({ target }) => /^(functions|lib|infra|test)\b|\.tsx?$/.test(target) && !texts.has(target),
    );
    expect(missing.map(describeImport)).toEqual([]);
  });

  test('go down: each room of `lib` stands above all that it imports', () => {
    const isRoom = (file: string) => layerOf(file).startsWith('lib/');
    const inside = ownImports.filter(({ file, target }) => isRoom(file) && isRoom(target));
    const between = inside.filter(({ file, target }) => layerOf(file) !== layerOf(target));
    const upwards = between.filter(({ file, target }) => floorOf(layerOf(target)) >= floorOf(layerOf(file)));
    expect(upwards.map(describeImport)).toEqual([]);
  });

  test('lead from one room of the console to another in one direction only', () => {
    const roomOf = (file: string) => /^lib\/console\/([^/]+)\//.exec(file)?.[1];
    const between = ownImports.flatMap(({ file, target }): [string, string][] => {
      const [from, to] = [roomOf(file), roomOf(target)];
      return from === undefined || to === undefined || from === to ? [] : [[from, to]];
    });
    expect(circleIn(between)).toBeUndefined();
  });

  test('come from rooms that each stand on one floor', () => {
    const rooms = new Set(sources.map(layerOf).filter((layer) => layer.startsWith('lib/')));
    expect([...rooms].toSorted()).toEqual(
      floors
        .flat()
        .map((room) => `lib/${room}`)
        .toSorted(),
    );
  });

  test('keep to the layers: who may import whom', () => {
    const refused = ownImports.filter((each) => !isAllowed(each));
    expect(refused.map((each) => `${describeImport(each)} (${layerOf(each.file)} may not)`)).toEqual([]);
  });

  test('leave every package to the layer that knows it', () => {
    const packages = imports.filter(({ target }) => !texts.has(target) && !target.startsWith('node:'));
    const refused = packages.filter(({ file, target }) => {
      const name = packageOf(target);
      return name !== 'valibot' && ![owners[name]].flat().includes(layerOf(file));
    });
    expect(refused.map(describeImport)).toEqual([]);
  });

  test('come from rooms that lib/README.md lists', () => {
    const rooms = new Set(sources.flatMap((file) => /^lib\/([^/]+)/.exec(file)?.[1] ?? []));
    const listed = readFileSync('lib/README.md', 'utf8');
    const missing = [...rooms].filter((room) => !listed.includes(`[${room}](${room})`));
    expect(missing, 'give each a row in lib/README.md').toEqual([]);
  });

  test('come from rooms that have rooms inside where they have more than 25 files', () => {
    const rooms = Map.groupBy(sources, (file) => dirname(file));
    const crowded = [...rooms].filter(([room, files]) => room.startsWith('lib/') && files.length > 25);
    const isFlat = (room: string) => ![...rooms.keys()].some((each) => each.startsWith(`${room}/`));
    expect(crowded.map(([room]) => room).filter(isFlat)).toEqual([]);
  });

  test('of the files make no circle, types aside', () => {
    const edges = ownImports.filter(({ kind }) => kind === 'value').map(({ file, target }) => [file, target] as const);
    expect(circleIn(edges)?.join(' → ')).toBeUndefined();
  });

  test('leave every endpoint alone but in the registry', () => {
    const refused = ownImports.filter(
      ({ file, target }) =>
        /^functions\/.+\//.test(target) &&
        layerOf(file) === 'functions' &&
        file !== 'functions/index.ts' &&
        // Its tools call operations.
        !file.startsWith('functions/mcp/'),
    );
    expect(refused.map(describeImport)).toEqual([]);
  });

  test('bring names: none is there for its effect alone', () => {
    // package.json says so ("sideEffects"), so that a bundle leaves out every module of which it uses nothing.
    // The styles of a component are there for their effect.
    expect(sources.filter((file) => /^import '[^']*(?<!\.css)'/m.test(texts.get(file) ?? ''))).toEqual([]);
  });

  test('are deferred only where there is a reason', () => {
    expect(
      imports
        .filter(({ kind, file }) => kind === 'deferred' && !loaders.includes(file))
        .map(describeImport)
        .toSorted(),
    ).toEqual(deferred.toSorted());
  });
});

describe('the exports of the source', () => {
  const filesWith = (pattern: RegExp) => sources.filter((file) => pattern.test(texts.get(file) ?? ''));

  test('have names: none is the default', () => {
    expect(filesWith(/^export default\b|^export \{[^}]*\bas default\b/m)).toEqual([]);
  });

  test('are those of the file itself, but in the registry', () => {
    expect(filesWith(/^export (type )?(\*|\{[^}]*\}) ?.*from '/m)).toEqual(['functions/index.ts']);
  });
});
