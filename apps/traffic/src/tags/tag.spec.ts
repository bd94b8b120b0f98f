import { newTag, updateTag } from './tag.js';

describe('a tag', () => {
  it('has no color and no description unless given', () => {
    expect(newTag({ tag_name: 'urgent' })).toEqual({ tag_name: 'urgent', color: null, description: null });
  });

  it('changes the fields of an update, and emits nothing for an empty one', () => {
    expect(updateTag({ color: null })).toEqual({ set: { color: null }, events: [{ event: 'tag.updated' }] });
    expect(updateTag({})).toEqual({});
  });
});
