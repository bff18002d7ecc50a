import type { Journey } from '../stage.ts';

export const viewer: Journey = {
  title: 'read as a Viewer why a control does nothing',
  async run({ enter, promises }) {
    const person = await enter('viewer');
    for (const page of ['/projects/search/features/semantic-ranking', '/now']) {
      await person.open(page);
      const reason = (await person.refusalOf(/^semantic-ranking in production/, 'switch')) ?? '';
      promises.hold(`${page}: a switch says why it cannot be switched`, reason !== '', reason);
      await person.press(/^semantic-ranking in production/, 'switch');
      await person.sees(reason);
      await person.finds(/^semantic-ranking in production/, true);
    }
  },
};
