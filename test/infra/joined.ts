import { Template } from 'aws-cdk-lib/assertions';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

/**
 * A main template and its nested ones as one template: resources of a nested stack have its id before their own, and
 * what names a parameter of it, or one of its outputs, names what that stands for.
 */
export function joinedTemplate(main: Template, nested: ReadonlyMap<string, Template>): Template {
  const { Resources, ...others } = main.toJSON() as { Resources: Record<string, JsonObject> };
  const resources: Record<string, Json> = {};
  const outputs = new Map<string, Json>();
  for (const [id, resource] of Object.entries(Resources)) {
    const child = nested.get(id);
    if (child === undefined) resources[id] = resource;
    else {
      const { Parameters = {} } = resource.Properties as { readonly Parameters?: JsonObject };
      const { resources: own, outputs: shown } = partsOf(id, child, Parameters);
      Object.assign(resources, own);
      for (const [name, value] of Object.entries(shown)) outputs.set(`${id} Outputs.${name}`, value);
    }
  }
  const text = JSON.stringify({ ...others, Resources: resources }, withoutStacks(nested));
  return Template.fromJSON(
    JSON.parse(text, (_name, value) => {
      const [id, output] = value?.['Fn::GetAtt'] ?? [];
      return outputs.get(`${id} ${output}`) ?? value;
    }),
  );
}

function partsOf(stack: string, template: Template, parameters: JsonObject) {
  const { Resources = {}, Outputs = {} } = template.toJSON() as {
    Resources?: JsonObject;
    Outputs?: Record<string, { readonly Value: Json }>;
  };
  const prefixed = (id: string) => (Object.hasOwn(Resources, id) ? `${stack}.${id}` : id);
  function follow(value: Json): Json {
    if (Array.isArray(value)) return value.map(follow);
    if (value === null || typeof value !== 'object') return value;
    const { Ref, 'Fn::GetAtt': attribute, DependsOn, ...others } = value as JsonObject;
    if (typeof Ref === 'string') return parameters[Ref] ?? { Ref: prefixed(Ref) };
    if (Array.isArray(attribute)) return { 'Fn::GetAtt': [prefixed(String(attribute[0])), attribute[1] ?? ''] };
    return {
      ...Object.fromEntries(Object.entries(others).map(([name, part]) => [name, follow(part)])),
      ...(DependsOn !== undefined && { DependsOn: [DependsOn].flat().map((id) => prefixed(String(id))) }),
    };
  }
  return {
    resources: Object.fromEntries(
      Object.entries(Resources).map(([id, resource]) => [`${stack}.${id}`, follow(resource)]),
    ),
    outputs: Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, follow(Value)])),
  };
}

/** The stacks themselves are no resources of the joined template, so nothing can wait for them. */
function withoutStacks(nested: ReadonlyMap<string, Template>) {
  return (name: string, value: Json): Json =>
    name === 'DependsOn' && Array.isArray(value) ? value.filter((id) => !nested.has(String(id))) : value;
}
