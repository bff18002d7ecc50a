import { type Journey, productionOf } from '../stage.ts';

export const override: Journey = {
  title: 'switch a protected flag off at once, end the override, and have it seen',
  async run({ enter, ask, promises }) {
    const person = await enter('reviewer');
    await person.open('/now');
    await person.write('Find a flag', 'new-check');
    await person.press('new-checkout in production', 'switch');
    await person.press(/^It cannot wait\?/);
    await person.press('Errors are up');
    await person.press('Override and switch off');
    await person.finds('new-checkout in production', false);
    await person.sees('You override');
    await person.picture('override');
    const { enabled } = await productionOf(ask, 'checkout', 'new-checkout');
    promises.same('an override switches at once', enabled, false);
    await person.press('End it');
    await person.sees('The override has ended');

    const other = await enter('operator');
    await other.open('/reviews');
    await other.sees('Overrides to look at');
    await other.follow(/Errors are up/);
    await other.press('Mark as seen');
    await other.write('Comment', 'It was right.');
    await other.press('Mark as seen');
    await other.sees('It leaves the inbox');
  },
};
