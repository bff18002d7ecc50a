import * as v from 'valibot';
import { changeInput, changesInput } from '../change-requests/change-input-schema.ts';
import { stateInput } from '../change-requests/change-request-schema.ts';
import { contextField, contextFieldInput } from '../context-fields/context-field-schema.ts';
import { clientEvent } from '../delivery/delta/client-delta-schema.ts';
import { ofrepFailure, ofrepFlag, ofrepResult } from '../delivery/ofrep-schema.ts';
import { playgroundProjects } from '../delivery/playground-schema.ts';
import { featureVariants, strategyVariants } from '../features/environments/variant-schema.ts';
import {
  dependency,
  feature,
  featureEnvironment,
  featureInEnvironment,
  featureInput,
  listedFeature,
} from '../features/feature-schema.ts';
import { constraintInput } from '../features/strategies/constraint-input-schema.ts';
import { constraint } from '../features/strategies/constraint-schema.ts';
import { strategyInput } from '../features/strategies/strategy-input-schema.ts';
import { strategy, strategyView } from '../features/strategies/strategy-schema.ts';
import { patchOperation } from '../helpers/json-patch-schema.ts';
import { importData } from '../imports/import-data-schema.ts';
import { uiFlag } from '../pages/ui-config-schema.ts';
import { account, userGroup } from '../people/rights/access-schema.ts';
import { owner } from '../projects/project-schema.ts';
import { segmentInput } from '../segments/segment-input-schema.ts';
import { segment } from '../segments/segment-schema.ts';
import { samlSettings } from '../sign-in/sso/saml-settings-schema.ts';
import { strategyType, strategyTypeInput } from '../strategy-types/strategy-type-schema.ts';
import { tag, tagInput, tagType, tagTypeInput } from '../tags/tag-schema.ts';
import { boolean, object, text } from '../values/primitives.ts';

/** Body of every error. */
const error = object({
  id: text,
  name: text,
  message: text,
  details: v.array(
    object({
      message: text,
      path: v.exactOptional(text),
      validationErrors: v.exactOptional(v.array(text)),
      difference: v.exactOptional(v.looseObject({})),
    }),
  ),
  // One of these is needed for a change without approval.
  permissions: v.exactOptional(v.array(text)),
  // These four properties list the ways to sign in.
  type: v.exactOptional(v.literal('password')),
  path: v.exactOptional(text),
  defaultHidden: v.exactOptional(boolean),
  options: v.exactOptional(v.array(object({ type: text, message: text, path: text }))),
});

/** The body of an error, with the properties that OpenFeature providers expect. */
const ofrepError = object({
  ...error.entries,
  // The key in the request, which may be any text.
  key: v.exactOptional(v.string()),
  errorCode: v.picklist(['PARSE_ERROR', 'INVALID_CONTEXT', 'FLAG_NOT_FOUND', 'GENERAL']),
  errorDetails: text,
});

/** The body of an error of SCIM. */
const scimError = object({
  schemas: v.array(text),
  status: text,
  scimType: v.exactOptional(text),
  detail: text,
});

/** The kinds of changes, with names such as `AddStrategyChange`. */
const changeInputs = Object.fromEntries(
  changeInput.options.map((option) => {
    const { literal } = option.entries.action;
    return [`${literal[0]?.toUpperCase()}${literal.slice(1)}Change`, option];
  }),
);

/** The kinds of events of an SDK, with names such as `FeatureUpdatedEvent`. */
const clientEvents = Object.fromEntries(
  clientEvent.options.map((option) => {
    const words = option.entries.type.literal.split('-').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
    return [`${words.join('')}Event`, option];
  }),
);

/** The schemas that the OpenAPI document defines as components, by name. */
export const components = {
  ChangeInput: changeInput,
  ChangesInput: changesInput,
  ClientEvent: clientEvent,
  Constraint: constraint,
  ConstraintInput: constraintInput,
  ContextField: contextField,
  ContextFieldInput: contextFieldInput,
  Dependency: dependency,
  Error: error,
  Feature: feature,
  FeatureEnvironment: featureEnvironment,
  FeatureInEnvironment: featureInEnvironment,
  FeatureInput: featureInput,
  FeatureStrategy: strategy,
  FeatureVariants: featureVariants,
  Group: userGroup,
  GroupOwner: owner.options[2],
  ImportData: importData,
  ListedFeature: listedFeature,
  OfrepError: ofrepError,
  OfrepFailure: ofrepFailure,
  OfrepFlag: ofrepFlag,
  OfrepResult: ofrepResult,
  PatchOperation: patchOperation,
  PlaygroundProjects: playgroundProjects,
  ProposalInput: changesInput.options[2],
  ProjectOwner: owner,
  SamlSettings: samlSettings,
  ScheduledStateInput: stateInput.options[1],
  ScimError: scimError,
  Segment: segment,
  SegmentInput: segmentInput,
  StateInput: stateInput,
  Strategy: strategyView,
  StrategyInput: strategyInput,
  StrategyType: strategyType,
  StrategyTypeInput: strategyTypeInput,
  StrategyVariants: strategyVariants,
  SystemOwner: owner.options[0],
  Tag: tag,
  TagInput: tagInput,
  TagType: tagType,
  TagTypeInput: tagTypeInput,
  UiFlag: uiFlag,
  UiVariant: uiFlag.options[1],
  UnscheduledStateInput: stateInput.options[0],
  User: account,
  UserOwner: owner.options[1],
  ...changeInputs,
  ...clientEvents,
};
