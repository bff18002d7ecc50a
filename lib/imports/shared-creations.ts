import { contextFields, newContextField } from '../context-fields/context-fields.ts';
import type { Effects } from '../entity/change.ts';
import type { Entity } from '../entity/entity.ts';
import { mustExist } from '../entity/references.ts';
import * as projectKeys from '../projects/keys.ts';
import { newTagType, newTagWrites, tagCreated, tagKey, tagTypes } from '../tags/tags.ts';
import { distinctBy } from '../values/duplicates.ts';
import type { ExportData } from './import-data-schema.ts';
import type { ImportReferences } from './import-references.ts';
import { tagOf } from './wanted-feature.ts';

type FieldInFile = ExportData['contextFields'][number];

/** A thing that features share and that the file brings along. */
export interface SharedCreation extends Effects {
  readonly what: string;
}

/** Returns the tag types, context fields and tags of the file that are new here. */
export function sharedCreations(data: ExportData, references: ImportReferences, at: string): SharedCreation[] {
  const newTagTypes = distinctBy(data.tagTypes, byName).filter(({ name }) => !references.tagTypes.has(name));
  const newFields = distinctBy(data.contextFields, byName).filter(({ name }) => !references.contextFields.has(name));
  return [
    ...newTagTypes.map((tagType) => creationOf(tagTypes, newTagType(tagType), at)),
    ...newTags(data, references),
    ...newFields.map((field) => fieldCreation(field, references.project.id, at)),
  ];
}

/** A field of a project goes to the project of the import, which must still exist when it is written. */
function fieldCreation(field: FieldInFile, projectId: string, at: string): SharedCreation {
  const made = newContextField(field, at);
  if (typeof field.project !== 'string') return creationOf(contextFields, made, at);
  const { writes, ...creation } = creationOf(contextFields, { ...made, project: projectId }, at);
  return { ...creation, writes: [...writes, mustExist('project', projectId, projectKeys.project(projectId))] };
}

function creationOf<T extends object>(kind: Entity<T, string>, thing: T, at: string): SharedCreation {
  return { what: `${kind.kind} "${kind.idOf(thing)}"`, ...kind.created(thing, at, 'retry') };
}

function newTags({ featureTags = [] }: ExportData, references: ImportReferences): SharedCreation[] {
  return distinctBy(featureTags.map(tagOf), tagKey)
    .filter((tag) => !references.tags.has(tagKey(tag)))
    .map((tag) => ({
      what: `tag "${tag.value}"`,
      writes: newTagWrites(tag, references.project.id),
      events: [tagCreated(tag)],
    }));
}

const byName = ({ name }: { readonly name: string }) => name;
