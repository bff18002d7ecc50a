import { test } from 'vitest';
import { pathVariablesOf } from '../example.ts';
import { expectRefused } from '../expect.ts';
import { defaultBodyBytesMax, type SpecifiedRole } from '../specification.ts';
import type { Trial } from '../trial.ts';

/** A request that is mended step by step. */
interface Draft {
  readonly token: string | null;
  readonly contentType: string;
  readonly text: string | undefined;
  readonly isKnown: boolean;
}

/** Each mistake has its own answer, and an earlier one hides those that come after it. */
export function testOrder(trial: Trial): void {
  const { may, route, takesAnyName = [], bodyBytesMax = defaultBodyBytesMax } = trial.specification;
  if (may === 'anyone') return;

  test('is answered for its first mistake: token, permission, length, content type, JSON, schema, what it names', async () => {
    const { declaration } = trial;
    const example = await trial.idleExample();
    const validToken = example.headers?.authorization ?? (await trial.validToken());
    const hasBody = declaration.body !== undefined;
    const stranger =
      typeof may === 'string' ? undefined : await trial.tokenOf(strangerTo(may), await trial.otherProject());
    const isCheckedEarly = declaration.permissionBy === undefined;
    const text = hasBody ? JSON.stringify(example.body) : undefined;
    const variables = pathVariablesOf(route).filter((name) => !takesAnyName.includes(name));
    const isNumber = (name: string) => typeof example.specified.params?.[name] === 'number';
    const unknown = Object.fromEntries(variables.map((name) => [name, isNumber(name) ? '999999' : 'missing']));

    const tooLong = `{${' '.repeat(bodyBytesMax + 1)}`;
    let draft: Draft = { token: null, contentType: 'text/plain', text: tooLong, isKnown: false };
    const expectMistake = async (status: number, name: string) => {
      const { token, contentType, isKnown } = draft;
      const changes = { token, body: draft.text, headers: { 'content-type': contentType } };
      expectRefused(await trial.sendTo(example, isKnown ? {} : unknown, changes), status, name);
    };

    await expectMistake(401, 'AuthenticationRequired');
    draft = { ...draft, token: stranger ?? validToken };
    if (stranger !== undefined && isCheckedEarly) {
      await expectMistake(403, 'NoAccessError');
      draft = { ...draft, token: validToken };
    }
    await expectMistake(413, 'ContentTooLarge');
    if (hasBody) {
      draft = { ...draft, text: '{' };
      await expectMistake(415, 'ContentTypeerror');
      draft = { ...draft, contentType: 'application/json' };
      await expectMistake(400, 'ValidationError');
      draft = { ...draft, text: '"text"' };
      await expectMistake(400, 'ValidationError');
    }
    draft = { ...draft, text };
    if (stranger !== undefined && !isCheckedEarly) {
      await expectMistake(403, 'NoAccessError');
      draft = { ...draft, token: validToken };
    }
    if (variables.length > 0) await expectMistake(404, 'NotFoundError');
  });
}

function strangerTo(may: readonly SpecifiedRole[]): SpecifiedRole {
  const found = (['Viewer', 'Member', 'Owner', 'Editor'] as const).find((role) => !may.includes(role));
  // Everybody with a role may; nobody else has a token.
  return found ?? 'Viewer';
}
