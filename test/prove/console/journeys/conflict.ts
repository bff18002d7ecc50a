import { type Journey, productionOf } from '../stage.ts';

export const conflict: Journey = {
  title: 'save an edit of something that somebody else has changed',
  async run({ enter, ask, promises }) {
    const { strategies } = await productionOf(ask, 'search', 'index-failover');
    const edit = `/projects/search/features/index-failover/strategies/edit?environmentId=production&strategyId=${strategies[0]?.id}`;
    const [first, second] = await Promise.all([enter('author'), enter('reviewer')]);

    for (const person of [first, second]) await person.open(edit);
    await second.write('Name (optional)', 'For a few');
    await first.write('Per cent', '35');
    for (const person of [first, second]) {
      await person.press(/^Save/);
      await person.arrives(/\/features\/index-failover$/);
    }
    const [joined] = (await productionOf(ask, 'search', 'index-failover')).strategies;
    promises.same(
      'edits of different parts are both kept',
      [joined?.title, joined?.parameters.rollout],
      ['For a few', '35'],
    );

    for (const person of [first, second]) await person.open(edit);
    await second.write('Per cent', '55');
    await first.write('Per cent', '40');
    await first.press(/^Save/);
    await first.arrives(/\/features\/index-failover$/);
    await second.press(/^Save/);
    await second.sees('You both changed the same');
    await second.picture('conflict');
    await second.press('Save this');
    await second.arrives(/\/features\/index-failover$/);
    const [after] = (await productionOf(ask, 'search', 'index-failover')).strategies;
    promises.same('nothing typed is lost', [after?.title, after?.parameters.rollout], ['For a few', '55']);
  },
};
