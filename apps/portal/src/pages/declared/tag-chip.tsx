/** The colour is an aid; the name identifies the tag. */
export const TagChip = ({ name, color }: { name: string; color: string | null }) => (
  <>
    {color !== null && (
      <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="5" fill={color} />
      </svg>
    )}
    {name}
  </>
);
