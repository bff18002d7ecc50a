import { type Journey, productionOf } from '../stage.ts';

export const approval: Journey = {
  title: 'send a change for review, approve as somebody else, and apply',
  async run({ enter, ask, promises }) {
    const author = await enter('author');
    await author.open('/projects/checkout/features/order-write-path');
    await author.press('order-write-path in production', 'switch');
    await author.press('Add to your draft');
    await author.arrives(/\/change-requests\/\d+$/);
    const { pathname } = new URL(author.page.url());
    await author.press('Send for review');
    await author.sees('In review');
    const reason = await author.refusalOf(/^Approve/, 'button');
    promises.hold('nobody approves their own change, and the page says why', Boolean(reason), reason);

    const reviewer = await enter('reviewer');
    await reviewer.open('/reviews');
    await reviewer.follow(/order-write-path|^Change request/);
    await reviewer.arrives(/\/change-requests\/\d+$/);
    promises.same('the inbox leads to the request', new URL(reviewer.page.url()).pathname, pathname);
    await reviewer.press('Approve');
    await reviewer.press('Approve');
    await reviewer.press('Apply now');
    await reviewer.press('Apply now');
    await reviewer.sees('Applied');
    const { enabled } = await productionOf(ask, 'checkout', 'order-write-path');
    promises.same('an approved change is made', enabled, false);
  },
};
