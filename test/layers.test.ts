import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';

/** Imports of our own files that each layer may have; a layer may always import itself. `lib/*` stands for every room of a subject. */
const allowed: Record<string, readonly string[]> = {
  functions: [
    'lib/http',
    'lib/*',
    'schemas',
    'lib/helpers',
    'lib/entity',
    'lib/request.ts',
    'lib/errors.ts',
    'lib/limits.ts',
  ],
  'lib/http': [
    'schemas',
    'lib/errors.ts',
    'lib/limits.ts',
    // The check of tokens and permissions, and the table that it works on.
    'lib/people/rights/caller.ts',
    'lib/people/rights/caller-authority.ts',
    'lib/tokens/token.ts',
    'lib/tokens/tokens.ts',
    'lib/people/rights/permissions.ts',
    'lib/people/rights/project-marks.ts',
    'lib/people/rights/approval-gate.ts',
    'lib/tokens/seen.ts',
    'lib/store/transactions/authority.ts',
    'lib/store/client/client.ts',
    'lib/store/work.ts',
    'lib/request.ts',
    'lib/store/transactions/versioned.ts',
    // Who has signed in with a browser.
    'lib/sign-in/sessions.ts',
    // How people sign in, which a refusal says.
    'lib/sign-in/ways.ts',
    // Whether changes are refused for now, and which sites may read answers.
    'lib/settings/maintenance.ts',
    'lib/settings/frontend-origins.ts',
    // How many calls there were.
    'lib/usage/traffic.ts',
    // What is kept of a request that may come again.
    'lib/idempotency',
  ],
  'lib/*': [
    'lib/*',
    'lib/entity',
    'lib/idempotency',
    'lib/store',
    'lib/helpers',
    'schemas',
    'lib/request.ts',
    'lib/errors.ts',
    'lib/limits.ts',
  ],
  'lib/idempotency': ['lib/store', 'schemas', 'lib/request.ts', 'lib/errors.ts'],
  'lib/entity': ['lib/store', 'lib/events', 'schemas', 'lib/request.ts', 'lib/errors.ts', 'lib/limits.ts'],
  'lib/helpers': ['schemas', 'lib/errors.ts'],
  'lib/request.ts': ['lib/store'],
  'lib/store': ['schemas', 'lib/errors.ts'],
  schemas: [],
  'lib/errors.ts': [],
  'lib/limits.ts': ['lib/errors.ts'],
  infra: [
    'functions/index.ts',
    'functions/folders.ts',
    'functions/service/notFound.ts',
    'lib/http',
    'lib/*',
    'lib/store',
    'schemas',
    'lib/request.ts',
    'lib/errors.ts',
    'lib/limits.ts',
  ],
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
  // The embedded store speaks the protocol.
  '@aws-sdk/client-dynamodb': ['lib/store', 'infra'],
  '@aws-sdk/core': 'lib/store',
  '@aws-sdk/lib-dynamodb': 'lib/store',
  '@smithy/core': ['lib/store', 'lib/helpers'],
  '@smithy/types': 'lib/store',
  '@smithy/signature-v4': 'lib/helpers',
  'p-limit': ['lib/store', 'lib/change-requests', 'lib/integrations'],
  '@node-saml/node-saml': 'lib/sign-in',
  'openid-client': 'lib/sign-in',
  mustache: 'lib/integrations',
  re2js: 'lib/delivery',
  semver: 'lib/delivery',
  'unleash-client': 'infra',
  'fast-json-patch': 'lib/helpers',
  'aws-cdk-lib': 'infra',
  'cdk-nag': 'infra',
  'big.js': 'infra',
  tar: 'infra',
  constructs: 'infra',
  esbuild: 'infra',
};

/** The files that load another only when they need it. */
const deferred = [
  // The registry holds this endpoint, so it can be looked at only once it is complete.
  'functions/service/getOpenApiDocument.ts → functions/index.ts',
  // The registry is all that it says, so it loads it with the first request that needs it.
  'functions/service/notFound.ts → functions/index.ts',
  // What is loaded after the compile cache is open is kept in it.
  'infra/local/start.ts → infra/local/run.ts',
  // The functions load while the store starts.
  'infra/local/run.ts → infra/local/schedules.ts',
  'infra/local/run.ts → infra/local/serve.ts',
  'infra/local/run.ts → infra/local/sending.ts',
  // Most starts read no seed file.
  'infra/local/serve.ts → infra/read-seed-file.ts',
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

const sources = globSync('{functions,lib,infra}/**/*.ts').toSorted();
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

/** The folder that the rules are about: `functions`, `infra`, or the room of `lib`. Schemas are a layer in all rooms. */
function layerOf(file: string): string {
  if (/^lib\/(?:values\/|.*-schema\.ts$)/.test(file)) return 'schemas';
  const [top = '', part = ''] = file.split('/');
  return top === 'lib' ? `lib/${part}` : top;
}

const isDomain = (layer: string) => layer.startsWith('lib/') && !(layer in allowed);
const ruleOf = (layer: string) => (isDomain(layer) ? 'lib/*' : layer);
const packageOf = (target: string) => target.split('/', target.startsWith('@') ? 2 : 1).join('/');

function isAllowed({ file, target }: Import): boolean {
  const from = layerOf(file);
  const to = layerOf(target);
  return from === to || (allowed[ruleOf(from)] ?? []).some((each) => [ruleOf(to), to, target].includes(each));
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
      ({ target }) => /^(functions|lib|infra|test)\b|\.ts$/.test(target) && !texts.has(target),
    );
    expect(missing.map(describeImport)).toEqual([]);
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
        /^functions\/.+\//.test(target) && layerOf(file) === 'functions' && file !== 'functions/index.ts',
    );
    expect(refused.map(describeImport)).toEqual([]);
  });

  test('bring names: none is there for its effect alone', () => {
    expect(sources.filter((file) => /^import '/m.test(texts.get(file) ?? ''))).toEqual([]);
  });

  test('are deferred only where there is a reason', () => {
    expect(
      imports
        .filter(({ kind }) => kind === 'deferred')
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
