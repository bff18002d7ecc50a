import { type Journey, productionOf } from '../stage.ts';

export const schedule: Journey = {
  title: 'schedule an approved change, and end the schedule',
  async run({ enter, ask, promises }) {
    const author = await enter('author');
    await author.open('/projects/checkout/features/order-write-path');
    await author.press('order-write-path in production', 'switch');
    await author.press('Add to your draft');
    await author.arrives(/\/change-requests\/\d+$/);
    const { pathname } = new URL(author.page.url());
    await author.press('Send for review');
    await author.sees('In review');

    const reviewer = await enter('reviewer');
    await reviewer.open(pathname);
    await reviewer.press('Approve');
    await reviewer.press('Approve');

    const operator = await enter('operator');
    await operator.open(pathname);
    await operator.press('Schedule');
    await operator.press('Tomorrow 09:00');
    await operator.press('Schedule');
    await operator.sees('Scheduled');
    const { schedule: kept } = (await ask('GET', pathname)) as { readonly schedule?: { readonly scheduledAt: string } };
    const hours = (Date.parse(kept?.scheduledAt ?? '') - Date.now()) / 3_600_000;
    promises.hold('it is scheduled for the next morning', hours > 0 && hours < 34, kept);
    await operator.press('End the schedule');
    await operator.press('End the schedule');
    await operator.sees('Turned down');
    const { enabled } = await productionOf(ask, 'checkout', 'order-write-path');
    promises.same('nothing changed', enabled, true);
  },
};
