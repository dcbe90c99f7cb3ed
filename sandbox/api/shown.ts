/** Fields, by type of object, that answers contain only if `expand` names them. */
const onRequest: Record<string, string[]> = {
  coupon: ['currency_options'],
  invoice: ['confirmation_secret', 'payments'],
  price: ['currency_options'],
}
const heldBack = new WeakMap<object, Record<string, unknown>>()

/** A copy of the object for an answer, without `$hidden` and the fields of `onRequest`. */
export function shown(object: object): Record<string, unknown> {
  const plain = JSON.stringify(object, (key, value: unknown) =>
    key === '$hidden' ? undefined : value,
  )
  return JSON.parse(plain, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null) holdBack(value as Record<string, unknown>)
    return value
  }) as Record<string, unknown>
}

function holdBack(copy: Record<string, unknown>) {
  const names = onRequest[String(copy['object'])]
  if (!names) return
  heldBack.set(copy, Object.fromEntries(names.map((name) => [name, copy[name]])))
  for (const name of names) delete copy[name]
}

export function bringOut(copy: Record<string, unknown>, name: string) {
  const held = heldBack.get(copy)
  if (held && name in held) copy[name] ??= held[name]
}
