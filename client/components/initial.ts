const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The first letter of a name as people see it: with its accents, or a whole emoji. */
export function initialOf(name: string) {
  const [first] = letters.segment(name.trim())
  return first?.segment.toUpperCase() ?? '?'
}
