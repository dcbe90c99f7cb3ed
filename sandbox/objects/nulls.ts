type Word<Names extends string> = Names extends `${infer First} ${infer Rest}`
  ? First | Word<Rest>
  : Names

/** The fields with these names, all null. Spaces separate the names. */
export function nulls<Names extends string>(...names: Names[]): Record<Word<Names>, null> {
  const fields = names.join(' ').split(' ')
  return Object.fromEntries(fields.map((name) => [name, null])) as Record<Word<Names>, null>
}
