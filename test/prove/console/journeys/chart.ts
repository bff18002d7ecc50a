import type { Journey } from '../stage.ts';

interface Chart {
  readonly metricName: string;
  readonly title?: string;
  readonly labelSelectors: object;
}

export const chart: Journey = {
  title: 'save a chart of an impact metric, change it, and remove it',
  async run({ enter, ask, promises }) {
    const listTitled = async () => {
      const { configs } = (await ask('GET', '/impact-metrics/config')) as { readonly configs: readonly Chart[] };
      return configs
        .filter(({ title }) => title !== undefined)
        .map(({ metricName, title, labelSelectors }) => ({ metricName, title, labelSelectors }));
    };
    const person = await enter('admin');
    await person.open('/impact-metrics');
    await person.press('New chart');
    await person.write('Title', 'Searches');
    await person.press('shop');
    await person.press('Save');
    await person.find('Edit Searches', 'button');
    const labelSelectors = { appName: ['shop'] };
    const saved = { metricName: 'searches', title: 'Searches', labelSelectors };
    promises.same('the chart is saved', await listTitled(), [saved]);

    await person.press('Edit Searches');
    await person.write('Title', 'Searches of the shop');
    await person.press('Save');
    await person.find('Edit Searches of the shop', 'button');
    promises.same('the chart is changed', await listTitled(), [{ ...saved, title: 'Searches of the shop' }]);
    await person.press('Remove Searches of the shop');
    await person.press('Remove');
    await person.until('the chart is gone', async () => !(await person.has('Edit Searches of the shop', 'button')));
    promises.same('the chart is removed', await listTitled(), []);
  },
};
