// Six calls with the client that openapi-generator makes for TypeScript.
import { Configuration, FeaturesApi, ProjectsApi } from './flagstaff/index';

const [, , basePath = '', token = '', featureName = ''] = process.argv;

async function main(): Promise<void> {
  const configuration = new Configuration({ basePath, apiKey: () => token });
  const features = new FeaturesApi(configuration);
  const place = { projectId: 'default', featureName };
  const inDevelopment = { ...place, environment: 'development' };

  const created = await features.createFeature({
    projectId: 'default',
    featureInput: { name: featureName, type: 'experiment', description: 'Generated' },
  });
  const strategy = await features.addFeatureStrategy({
    ...inDevelopment,
    strategyInput: {
      name: 'flexibleRollout',
      parameters: { rollout: '50' },
      constraints: [{ contextName: 'country', operator: 'IN', values: ['NZ', 'AU'] }],
    },
  });
  await features.toggleFeatureEnvironmentOn(inDevelopment);
  const read = await features.getFeature(place);
  const { projects } = await new ProjectsApi(configuration).getProjects();
  const { raw } = await features.archiveFeatureRaw(place);

  const printed = {
    created: [created.name, created.type, created.description],
    strategy: [strategy.parameters.rollout, strategy.constraints[0]?.values],
    on: read.environments.filter(({ enabled }) => enabled).map(({ name }) => name),
    owners: projects[0]?.owners.map((owner) => ('name' in owner ? owner.name : '')),
    archived: raw.status,
  };
  console.log(JSON.stringify(printed));
}

void main();
