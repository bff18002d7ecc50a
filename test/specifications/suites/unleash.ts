import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { statusOf } from '../../../lib/http/declaration.ts';
import unleash from '../../fixtures/unleash-7.6-replies.json' with { type: 'json' };
import { schemasWithAdditions } from '../beyond-unleash.ts';
import type { Trial } from '../trial.ts';

/** The replies of success that the OpenAPI document of Unleash 7.6.5 describes, by operation and status. */
const replies: Readonly<Record<string, Readonly<Record<string, object>>>> = unleash.replies;

// Its document has keywords and formats of OpenAPI, which are no matter here.
const schemas = schemasWithAdditions();
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true }).addSchema({
  $id: 'unleash',
  components: { schemas },
});

const meant = (names: Iterable<string>) =>
  `a property that Unleash lacks, and that is meant, is named in test/specifications/beyond-unleash.ts under its schema: ${[...names].join(' or ')}`;

/** Tests that clients generated from Unleash's own document can read a reply. */
export function testLikeUnleash(trial: Trial): void {
  const { operationId, misdescribed } = trial.specification;
  const schema = replies[operationId]?.[statusOf(trial.declaration)];
  if (schema === undefined) return;

  test('succeeds with a reply that the document of Unleash 7.6.5 describes', () => {
    const { body } = trial.first.reply;
    const isValid = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"unleash#/')));
    isValid(body);
    if (misdescribed !== undefined) return expect(isValid.errors, 'it is described by now').not.toBeNull();
    expect(isValid.errors ?? [], isValid.errors ? meant(schemasIn(schema)) : '').toEqual([]);
  });
}

/** The names of the schemas that a schema refers to, directly or through others. */
function schemasIn(schema: object, known = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (!known.has(name)) schemasIn(schemas[name] ?? {}, known.add(name));
  }
  return known;
}
