import type { Journey } from '../stage.ts';

export const viewer: Journey = {
  title: 'read as a Viewer why a control does nothing',
  async run({ enter, promises }) {
    const person = await enter('viewer');
    const control = /^semantic-ranking in production/;
    await person.open('/projects/search/features/semantic-ranking');
    await readReason();
    await person.open('/now');
    await person.write('Find a flag', 'semantic');
    await readReason();

    async function readReason(): Promise<void> {
      const reason = (await person.refusalOf(control, 'switch')) ?? '';
      promises.hold('a switch says why it cannot be switched', reason !== '', reason);
      await person.press(control, 'switch');
      await person.sees(reason);
      await person.finds(control, true);
    }
  },
};
