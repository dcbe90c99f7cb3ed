/** Class names, without those that don't apply. */
export function classes(...names: (string | false | undefined)[]) {
  return names.filter(Boolean).join(' ')
}
