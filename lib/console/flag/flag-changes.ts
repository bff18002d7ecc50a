import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { addFeatureDependency, archiveFeature, deleteFeatureDependencies, type ParentBody } from '../calls/flags.ts';
import type { FlagChange, SwitchPlace } from '../change/change-way.ts';
import { placeOf } from '../change/place-of.ts';
import { countOf, shortCount } from '../words/numbers.ts';

/**
 * Returns the place whose rules hold for a change of a flag in all environments: a protected environment where applications may
 * get the flag, if there is one.
 */
function findStrictestPlace(flag: ConsoleFlag): SwitchPlace {
  const { environments } = flag.feature;
  const places = environments
    .filter(({ enabled, strategies, variants }) => enabled || strategies.length > 0 || variants.length > 0)
    .map(({ name }) => placeOf(flag, name));
  return (
    places.find(({ approvals }) => approvals !== undefined) ?? {
      ...placeOf(flag, environments[0]?.name ?? ''),
      approvals: undefined,
    }
  );
}

/** Archives a flag. */
export function archiveFlag(flag: ConsoleFlag): FlagChange {
  const { name, project, environments } = flag.feature;
  const onPerHour = environments.reduce((sum, { yes }) => sum + yes, 0);
  const values = { projectId: project, featureName: name };
  const use =
    onPerHour === 0
      ? 'No application got on in the last hour.'
      : `Applications got on ${shortCount(onPerHour)} times in the last hour.`;
  return {
    place: findStrictestPlace(flag),
    title: `Archive ${name}?`,
    verb: 'Archive',
    isDanger: true,
    isAsked: true,
    effect: `${use} SDKs no longer get the flag, so its code path is off everywhere. It can be revived, and is off then.`,
    request: { feature: name, action: 'archiveFeature' },
    send: (ifMatch) => archiveFeature(values, { ifMatch }),
    part: ({ feature }) => feature.environments.map(({ enabled }) => enabled),
    done: `Archived ${name}`,
    next: `/projects/${project}`,
  };
}

/** Makes a flag depend on another one, in the place of those on which it depends now. */
export function setParent(flag: ConsoleFlag, parent: ParentBody): FlagChange {
  const { name, project } = flag.feature;
  return {
    place: findStrictestPlace(flag),
    title: `Make ${name} depend on ${parent.feature}?`,
    verb: 'Save',
    isAsked: false,
    effect: `${name} is on only while ${describeParent(parent)}, in every environment.`,
    request: { feature: name, action: 'addDependency', payload: parent },
    send: (ifMatch) => addFeatureDependency({ projectId: project, featureName: name }, { body: parent, ifMatch }),
    part: ({ feature }) => feature.dependencies,
    done: `${name} depends on ${parent.feature}`,
  };
}

/** Ends that a flag depends on others. */
export function removeParents(flag: ConsoleFlag): FlagChange {
  const { name, project, dependencies } = flag.feature;
  return {
    place: findStrictestPlace(flag),
    title: `End that ${name} depends on ${countOf(dependencies.length, 'flag')}?`,
    verb: 'End it',
    isAsked: false,
    effect: `${name} follows its own strategies alone, in every environment.`,
    request: { feature: name, action: 'deleteDependency' },
    send: (ifMatch) => deleteFeatureDependencies({ projectId: project, featureName: name }, { ifMatch }),
    part: ({ feature }) => feature.dependencies,
    done: `${name} depends on no other flag`,
  };
}

/** Writes the requirement on a parent: "new-checkout is on with one of blue, green". */
export function describeParent({ feature, enabled = true, variants = [] }: Partial<ParentBody>): string {
  if (!enabled) return `${feature} is off`;
  return variants.length === 0 ? `${feature} is on` : `${feature} is on with ${variants.join(' or ')}`;
}
