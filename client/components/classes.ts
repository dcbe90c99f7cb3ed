/** Joins class names. Leaves out the empty and false ones. */
export function classes(...names: (string | false | undefined)[]) {
  return names.filter(Boolean).join(' ')
}
