/** What was typed into a field; nothing if the form has no such field. */
export function textOf(values: FormData, name: string) {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
