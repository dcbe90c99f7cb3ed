/** Makes a function that calls `make` once for each of its arguments, and keeps what it makes. */
export function memoize<Args extends (string | undefined)[], Made extends object | string>(
  make: (...args: Args) => Made,
) {
  const made = new Map<string, Made>()
  return (...args: Args) => {
    const key = args.join(' ')
    const found = made.get(key) ?? make(...args)
    made.set(key, found)
    return found
  }
}
