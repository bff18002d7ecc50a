import { type Journey, productionOf } from '../stage.ts';

export const drift: Journey = {
  title: 'read what has changed underneath a request',
  async run({ enter, ask, promises }) {
    const page = '/projects/checkout/features/new-checkout';
    const { strategies } = await productionOf(ask, 'checkout', 'new-checkout');
    const strategy = strategies[0];
    const author = await enter('author');
    await author.open(`${page}/strategies/edit?environmentId=production&strategyId=${strategy?.id}`);
    await author.write('Per cent', '60');
    await author.press(/^Add to your draft/);
    await author.arrives(/\/change-requests\/\d+$/);
    const { pathname } = new URL(author.page.url());
    await author.press('Send for review');
    await author.sees('In review');

    const path = `/projects/checkout/features/new-checkout/environments/production/strategies/${strategy?.id}`;
    await ask('PATCH', path, [{ op: 'replace', path: '/parameters/rollout', value: '30' }]);
    const reviewer = await enter('reviewer');
    await reviewer.open(pathname);
    await reviewer.sees('Something changed underneath');
    for (const text of ['When asked', 'Wanted', '25', '30', '60']) await reviewer.sees(text);
    await reviewer.press('Approve');
    await reviewer.press('Approve');
    await reviewer.press('Apply now');
    await reviewer.press('Apply now');
    await reviewer.sees('Somebody else has changed the value that this change replaces.');
    const { strategies: after } = await productionOf(ask, 'checkout', 'new-checkout');
    promises.same('nothing is applied over what changed', after[0]?.parameters.rollout, '30');
  },
};
