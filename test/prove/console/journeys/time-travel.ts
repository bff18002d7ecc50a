import { askAsPerson, type Journey, people, productionOf } from '../stage.ts';

export const timeTravel: Journey = {
  title: 'take a flag back to before a mistake',
  async run({ url, enter, ask, promises }) {
    const path = '/projects/search/features/semantic-ranking';
    const place = `${path}/environments/production`;
    const { strategies: before } = await productionOf(ask, 'search', 'semantic-ranking');
    await ask('POST', `${place}/strategies`, { name: 'default', title: 'Everybody, by mistake' });
    await ask('POST', `${place}/off`);
    const author = await enter('author');
    await author.open(path);
    await author.press(/^Before and after: .*added the strategy “Everybody, by mistake”/);
    await author.sees('Right before this change');
    await author.press('Changes since then');
    await author.sees('Switched it off');
    await author.press('Going back');
    await author.sees('Removes the strategy “Everybody, by mistake”');
    await author.press('Go back to this');
    await author.sees('Took semantic-ranking back');
    const { enabled, strategies } = await productionOf(ask, 'search', 'semantic-ranking');
    promises.same('the flag is as it was before the mistake', [enabled, strategies], [true, before]);

    // Where changes need approval, going back becomes a draft.
    const approved = '/projects/checkout/features/new-checkout';
    const mistake = { name: 'default', title: 'Everybody, by mistake' };
    const added = await ask('POST', `${approved}/environments/production/strategies`, mistake);
    await author.open(approved);
    await author.press(/^Before and after: .*added the strategy “Everybody, by mistake”/);
    await author.press('Going back');
    await author.press('Add to your draft');
    await author.arrives(/\/change-requests\/\d+$/);
    await author.sees('Take new-checkout back to right before the change of');
    // Nobody else sees it.
    const askAsAuthor = await askAsPerson(url, people.author);
    await askAsAuthor('DELETE', new URL(author.page.url()).pathname);
    await ask('DELETE', `${approved}/environments/production/strategies/${(added as { readonly id: string }).id}`);
  },
};
