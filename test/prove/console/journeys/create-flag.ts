import { type Journey, productionOf } from '../stage.ts';

export const createFlag: Journey = {
  title: 'create a flag, roll it out, and switch it off',
  async run({ enter, ask, promises }) {
    const page = '/projects/search/features/spelling';
    const person = await enter('author');
    await person.open('/projects/search?create=true');
    await person.write('Name', 'spelling');
    await person.write('Description', 'Corrects the words of a search');
    await person.press('Create flag');
    await person.arrives(/\/features\/spelling$/);
    await person.finds('spelling in development', true);
    await person.press('spelling in production', 'switch');
    await person.press('Switch on now');
    await person.finds('spelling in production', true);
    const { strategies } = await productionOf(ask, 'search', 'spelling');
    promises.hold('a flag that is switched on has a strategy', strategies.length > 0, strategies);

    await person.open(`${page}/strategies/edit?environmentId=production&strategyId=${strategies[0]?.id}`);
    await person.write('Per cent', '40');
    await person.press(/^Save/);
    await person.arrives(/\/features\/spelling$/);
    await person.sees('40%');
    await person.press('spelling in production', 'switch');
    await person.press('Switch off now');
    await person.finds('spelling in production', false);
    const after = await productionOf(ask, 'search', 'spelling');
    const { rollout } = after.strategies[0]?.parameters ?? {};
    promises.same('the rollout is saved, and the flag is off', [rollout, after.enabled], ['40', false]);
  },
};
