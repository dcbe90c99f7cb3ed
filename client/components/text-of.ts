/** The text of a field, empty if the form has no such field. */
export function textOf(values: FormData, name: string) {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
