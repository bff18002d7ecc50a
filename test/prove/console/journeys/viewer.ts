import type { Journey } from '../stage.ts';

export const viewer: Journey = {
  title: 'read as a Viewer why a control does nothing',
  async run({ enter, promises }) {
    const person = await enter('viewer');
    await person.open('/projects/search/features/semantic-ranking');
    const reason = await person.refusalOf(/^semantic-ranking in production/, 'switch');
    promises.hold('a switch says why it cannot be switched', Boolean(reason), reason);
    await person.press(/^semantic-ranking in production/, 'switch');
    await person.finds(/^semantic-ranking in production/, true);
    await person.open('/now');
    const atNight = await person.refusalOf(/^semantic-ranking in production/, 'switch');
    promises.hold('so does the page for the night', Boolean(atNight), atNight);
  },
};
