import { describe, expect, test } from 'vitest';
import { buildSteps } from '../../../../lib/console/move/move-steps.ts';
import { parseExport } from '../../../../lib/console/move/parse-export.ts';

describe('The steps of a move', () => {
  const commandsFrom = (old: string) =>
    buildSteps(old, 'https://flags.example.com').flatMap(({ command }) => command ?? []);

  test('have the address of the old server in their commands', () => {
    for (const command of commandsFrom('https://old.example.com/'))
      expect(command).toContain('--from https://old.example.com');
  });

  test.each(['https://x; rm -rf ~', '$(reboot)', 'https://a.example.com`id`', ''])(
    'keep a placeholder for %s, which a shell would not take as an address',
    (old) => {
      for (const command of commandsFrom(old)) expect(command).toContain('--from https://unleash.example.com');
    },
  );
});

describe('A file to import', () => {
  test.each([
    ['nothing', 'This is no JSON.'],
    ['[]', 'This is no export: it has no list of features.'],
    ['{"flags":[]}', 'This is no export: it has no list of features.'],
  ])('is refused if it is %s', (text, problem) => {
    expect(parseExport(text)).toEqual({ flags: 0, problem });
  });

  test('says how many flags it has', () => {
    expect(parseExport('{"features":[{"name":"a"},{"name":"b"}]}')).toMatchObject({ flags: 2 });
  });
});
