import { expect, test } from 'vitest';
import { statusOf } from '../../../lib/http/declaration.ts';
import { exampleOf, pathVariablesOf } from '../example.ts';
import { expectRefused } from '../expect.ts';
import { sdkKindsOf } from '../specification.ts';
import type { Trial } from '../trial.ts';

/** Tests an operation on features, or on one, of a project: those of another project, and archived or live ones. */
export function testFeatures(trial: Trial): void {
  const { route, ofArchived = false, eachOf, takesAnyName = [] } = trial.specification;
  const variables = pathVariablesOf(route);
  // Another example than that of other tests, since its feature does not stay as it is.
  const prepared = () => exampleOf(trial.specification, trial.world);

  const isOfOne = variables.includes('featureName') && !takesAnyName.includes('featureName');
  // The environment of the token decides what SDKs get of a feature.
  if (isOfOne && sdkKindsOf(trial.specification).length === 0) {
    if (variables.includes('projectId'))
      test('answers 404 for a feature of another project', async () => {
        const answer = await trial.sendTo(await prepared(), { projectId: await trial.otherProject() });
        expectRefused(answer, 404, 'NotFoundError');
      });

    test(`answers ${ofArchived ? 'alike' : '404'} for an archived feature`, async () => {
      const example = await prepared();
      const { projectId, featureName } = example.specified.params ?? {};
      await trial.world.ask('PUT', `/api/admin/projects/${projectId}/features/${featureName}`, { archived: true });
      const answer = await trial.send(example);
      if (ofArchived) expect(answer.status, answer.text).toBe(statusOf(trial.declaration));
      else expectRefused(answer, 404, 'NotFoundError');
    });
  }

  if (eachOf !== undefined)
    test(`answers 404 where one of its features is unknown, of another project${eachOf === 'all' ? '' : `, or not ${eachOf}`}, and changes nothing`, async () => {
      const example = await prepared();
      const archived = eachOf === 'archived';
      const wrong = ['unknown', (await trial.world.feature({ project: await trial.otherProject(), archived })).name];
      if (eachOf !== 'all') wrong.push((await trial.world.feature({ archived: !archived })).name);
      const body = example.body as { readonly features: readonly string[] };
      const transactions = await trial.transactionsOf(async () => {
        for (const name of wrong) {
          const answer = await trial.send(example, { body: { ...body, features: [...body.features, name] } });
          expectRefused(answer, 404, 'NotFoundError');
        }
      });
      expect(transactions).toBe(0);
      expect((await trial.send(example)).status).toBe(statusOf(trial.declaration));
    });
}
