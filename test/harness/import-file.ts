/** A feature in a file, with its state in the environment that the file is for. All other members are its fields. */
export interface FiledFeature {
  readonly name: string;
  /** State of the feature; left out, the file mentions neither the state nor the variants. */
  readonly enabled?: boolean;
  readonly strategies?: readonly object[];
  readonly variants?: readonly object[];
  /** Tags, or values of the type `simple`. */
  readonly tags?: readonly (string | { readonly type: string; readonly value: string })[];
  /** Features that it depends on, by name or with the state that they need. */
  readonly parents?: readonly (string | { readonly feature: string; readonly enabled?: boolean })[];
  readonly link?: { readonly url: string; readonly title: string };
  readonly [field: string]: unknown;
}

export const importPath = '/api/admin/features-batch/import';

/** Returns the body of an import of the given parts of a file; required ones that are left out are empty. */
export function importBody(parts: object, { project = 'default', environment = 'development' } = {}) {
  return { project, environment, data: { features: [], featureStrategies: [], tagTypes: [], ...parts } };
}

/**
 * Returns the body of an import of features into an environment, as Unleash exports them. What none of them has is not in
 * it: tags and links that a file lists replace those of its features, and others stay.
 * @param further parts of the file that are about no feature, such as `segments`.
 */
export function importOf(
  features: readonly FiledFeature[],
  { project = 'default', environment = 'development', further = {} } = {},
) {
  const each = <T>(part: (feature: FiledFeature) => readonly T[]) => features.flatMap(part);
  const featureTags = each(({ name: featureName, tags = [] }) =>
    tags
      .map((tag) => (typeof tag === 'string' ? { type: 'simple', value: tag } : tag))
      .map(({ type, value }) => ({ featureName, tagType: type, tagValue: value })),
  );
  const links = each(({ name, link }) => (link === undefined ? [] : [{ feature: name, links: [link] }]));
  const data = {
    features: features.map(({ enabled, strategies, variants, tags, parents, link, ...fields }) => fields),
    featureStrategies: each(({ name, strategies = [] }) => strategies.map((one) => ({ ...one, featureName: name }))),
    featureEnvironments: each(({ name, enabled, variants }) =>
      enabled === undefined ? [] : [{ name, featureName: name, enabled, ...(variants && { variants }) }],
    ),
    ...(features.some(({ tags }) => tags !== undefined) && { featureTags }),
    ...(links.length > 0 && { links }),
    dependencies: each(({ name, parents = [] }) =>
      parents.length === 0
        ? []
        : [{ feature: name, dependencies: parents.map((one) => (typeof one === 'string' ? { feature: one } : one)) }],
    ),
    tagTypes: [],
    ...further,
  };
  return { project, environment, data };
}
