import { emits, type InputOf, type tags } from '@signalbox/contracts';

type Body = InputOf<typeof tags.endpoints.createTag>;
type Change = Omit<InputOf<typeof tags.endpoints.updateTag>, 'tag_id'>;

export const newTag = ({ tag_name, color = null, description = null }: Body) => ({ tag_name, color, description });

export function updateTag(change: Change) {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
  return Object.keys(set).length > 0 ? { set, events: [emits('tag.updated')] } : {};
}
