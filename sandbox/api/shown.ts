/** Fields, by type of object, that answers contain only if `expand` names them. */
const onRequest: Record<string, string[]> = { invoice: ['confirmation_secret', 'payments'] }
const heldBack = new WeakMap<object, Record<string, unknown>>()

/** A copy of the object for an answer, without `$hidden` and the fields of `onRequest`. */
export function shown(object: object): Record<string, unknown> {
  const copy = JSON.parse(
    JSON.stringify(object, (key, value: unknown) => (key === '$hidden' ? undefined : value)),
  ) as Record<string, unknown>
  holdBack(copy)
  if (copy['object'] === 'list')
    (copy['data'] as object[]).forEach((each) => holdBack(each as Record<string, unknown>))
  return copy
}

function holdBack(copy: Record<string, unknown>) {
  const names = onRequest[String(copy['object'])] ?? []
  heldBack.set(copy, Object.fromEntries(names.map((name) => [name, copy[name]])))
  for (const name of names) delete copy[name]
}

export function bringOut(copy: Record<string, unknown>, name: string) {
  const held = heldBack.get(copy)
  if (held && name in held) copy[name] ??= held[name]
}
