import unleash from '../fixtures/unleash-7.6-replies.json' with { type: 'json' };

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Record<string, Schema>;
  readonly additionalProperties?: unknown;
}

/**
 * The properties of replies that the OpenAPI document of Unleash 7.6.5 does not allow, by its schema of the object that has
 * them: clients that were made from that document must not mind them. A new one is named here once, whichever operations
 * answer it. A dot leads to an object inside of a schema.
 */
const additions: Readonly<Record<string, readonly string[]>> = {
  // Unleash really answers it.
  advancedPlaygroundEnvironmentFeatureSchema: ['hasUnsatisfiedDependency'],
  // Unleash answers it since its release 8.
  apiTokenSchema: ['secure'],
  applicationSchema: ['createdAt', 'lastSeen', 'droppedParts'],
  createUserResponseSchema: ['deactivated'],
  featureSearchResponseSchema: ['archived'],
  groupUserModelSchema: ['provisioned'],
  // Unleash really answers them.
  instanceAdminStatsSchema: [
    'serviceAccounts',
    'archivedFeatureToggles',
    'customRootRoles',
    'customRootRolesInUse',
    'passwordAuthEnabled',
    'SCIMenabled',
  ],
  // Unleash answers them since its release 8.
  profileSchema: ['groups', 'canChangePassword'],
  projectFeatureSchema: ['project', 'archivedAt', 'archived', 'createdBy', 'lifecycle'],
  // Unleash answers it since its release 8.
  projectSchema: ['onboardingStatus'],
  // Unleash answers one tag type beside a version, where its document has the tag type alone.
  tagTypeSchema: ['version', 'tagType'],
  userSchema: ['deactivated'],
};

/**
 * The schemas of Unleash's document, which allow these properties.
 * @throws Error where one of them is allowed anyway, or where there is no such schema.
 */
export function schemasWithAdditions(): Readonly<Record<string, Schema>> {
  const schemas: Readonly<Record<string, Schema>> = structuredClone(unleash.schemas);
  for (const [place, properties] of Object.entries(additions)) {
    const [name = '', ...path] = place.split('.');
    const schema = path.reduce((outer, each) => outer?.properties?.[each], schemas[name]);
    for (const property of properties) {
      if (schema?.properties === undefined || schema.additionalProperties !== false || property in schema.properties) {
        throw new Error(`Unleash has no schema ${place}, or it allows "${property}": take it out of the list.`);
      }
      schema.properties[property] = {};
    }
  }
  return schemas;
}
