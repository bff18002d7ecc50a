import type { ColoredTag, TagType, TagTypeInput, TagTypeUpdate } from '../../tags/tag-schema.ts';
import { change, read } from '../data/declare-call.ts';

export const getTags = read<{ readonly tags: readonly ColoredTag[] }>()('getTags', '/api/admin/tags');

const types = '/api/admin/tag-types';
const type = `${types}/{name}` as const;
export const getTagTypes = read<{ readonly tagTypes: readonly TagType[] }>()('getTagTypes', types);
export const getTagType = read<{ readonly tagType: TagType }>()('getTagType', type);
export const createTagType = change<unknown, TagTypeInput>()('createTagType', 'POST', types);
export const updateTagType = change<unknown, TagTypeUpdate>()('updateTagType', 'PUT', type);
export const deleteTagType = change()('deleteTagType', 'DELETE', type);
