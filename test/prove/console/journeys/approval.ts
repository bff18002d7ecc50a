import { type Journey, productionOf } from '../stage.ts';

export const approval: Journey = {
  title: 'send a change for review, approve as somebody else, edit it, approve again, and apply as a third person',
  async run({ enter, ask, promises }) {
    const { strategies } = await productionOf(ask, 'checkout', 'order-write-path');
    const author = await enter('author');
    await author.jumpTo('order-write-path');
    await author.arrives(/\/features\/order-write-path$/);
    await author.open(
      `/projects/checkout/features/order-write-path/strategies/edit?environmentId=production&strategyId=${strategies[0]?.id}`,
    );
    await author.write('Per cent', '60');
    await author.press(/^Add to your draft/);
    await author.arrives(/\/change-requests\/\d+$/);
    const { pathname } = new URL(author.page.url());
    await author.press('Send for review');
    await author.sees('In review');
    const reason = (await author.refusalOf(/^Approve/, 'button')) ?? '';
    await author.press('Approve');
    await author.sees(reason);
    promises.hold('nobody approves their own change, and the page says why', reason !== '', reason);

    const reviewer = await enter('reviewer');
    await reviewer.open('/reviews');
    await reviewer.follow(/order-write-path|^Change request/);
    await reviewer.arrives(/\/change-requests\/\d+$/);
    promises.same('the inbox leads to the request', new URL(reviewer.page.url()).pathname, pathname);
    promises.same('the reviewer sees what will change', await reviewer.listDifferences(), ['before: 25%after: 60%']);
    await approveHere();

    await author.open(pathname);
    await author.press(/^Edit: /);
    await author.write('Share of users in per cent', '70');
    await author.press('Save');
    await author.sees('0 of 1');
    const isApplicable = await author.has(/^Apply now/, 'button');
    promises.hold('an edited change needs another approval', !isApplicable);
    await reviewer.open(pathname);
    promises.same('the reviewer sees the edit', await reviewer.listDifferences(), ['before: 25%after: 70%']);
    await approveHere();

    const operator = await enter('operator');
    await operator.open(pathname);
    await operator.press('Apply now');
    await operator.press('Apply now');
    await operator.sees('Applied');
    const after = await productionOf(ask, 'checkout', 'order-write-path');
    promises.same('an approved change is made', after.strategies[0]?.parameters.rollout, '70');

    async function approveHere(): Promise<void> {
      await reviewer.press('Approve');
      await reviewer.press('Approve');
      await reviewer.sees('1 of 1');
    }
  },
};
