import type { Journey } from '../stage.ts';

interface Template {
  readonly id: string;
  readonly milestones: readonly {
    readonly name: string;
    readonly transitionCondition?: { readonly intervalMinutes: number };
    readonly strategies: readonly { readonly parameters: { readonly rollout?: string } }[];
  }[];
}

export const templateJourney: Journey = {
  title: 'create a release template, reorder it, archive, revive and delete it',
  async run({ enter, ask, promises }) {
    const list = '/release-plan-templates';
    const find = async (archived: boolean) => {
      const all = (await ask('GET', `${list}?archived=${archived}`)) as readonly { id: string; name: string }[];
      return all.find(({ name }) => name === 'Careful rollout');
    };
    const read = async (id: string) => (await ask('GET', `${list}/${id}`)) as Template;
    const person = await enter('admin');
    await person.open('/release-templates');
    await person.follow('New template');
    await person.write('Name', 'Progressive rollout');
    await person.write('Name of milestone 1', 'Few');
    await person.press('Everyone');
    await person.write('Per cent', '10');
    await person.press('Done');
    await person.press('Add a milestone');
    await person.write('Name of milestone 2', 'Few');
    await person.sees('Another milestone has this name.');
    await person.write('Name of milestone 2', 'All');
    await person.press(/^Add a strategy to All/);
    await person.press('Done');
    await (await person.find(/^The next milestone starts/, 'combobox')).select('time');
    await person.write('After', '2');
    await person.press('Create');
    await person.sees('There is already a release template with the name');
    await person.write('Name', 'Careful rollout');
    await person.press('Create');
    await person.arrives(/\/release-templates$/);
    const { id = '' } = (await find(false)) ?? {};
    const created = (await read(id)).milestones.map(({ name, transitionCondition, strategies }) => [
      ...[name, transitionCondition?.intervalMinutes, strategies[0]?.parameters.rollout],
    ]);
    promises.same('milestones are saved with their time', created, [
      ['Few', 2_880, '10'],
      ['All', undefined, '100'],
    ]);

    await person.follow('Careful rollout');
    await person.press('Move All up');
    await person.press('Save');
    await person.arrives(/\/release-templates$/);
    const moved = (await read(id)).milestones.map(({ name, transitionCondition }) => [name, transitionCondition]);
    const inOrder = [
      ['All', undefined],
      ['Few', undefined],
    ];
    promises.same('milestones are moved, and the last one has no time', moved, inOrder);

    await person.press('More about Careful rollout');
    await person.press(/^Archive/, 'menuitem');
    await person.sees('Archived Careful rollout');
    promises.hold('the template is archived', (await find(true)) !== undefined);
    await person.open('/release-templates#archived');
    await person.press('Revive Careful rollout');
    await person.sees('Revived Careful rollout');
    promises.hold('the template is revived', (await find(false)) !== undefined);
    await person.open('/release-templates');
    await person.press('More about Careful rollout');
    await person.press(/^Delete/, 'menuitem');
    await person.press('Delete');
    await person.sees('Deleted Careful rollout');
    promises.hold('the template is deleted', (await find(false)) === undefined);
  },
};
