const form =
  /^(<svg [^>]*viewBox="0 0 32 32"[^>]*>)(<rect width="32" height="32" rx="[\d.]+" fill="[^"]+"\s*\/>)([^]+)(<\/svg>)\s*$/

/**
 * The drawings that are made of mark.svg: its ground to the edges for systems that cut icons to
 * their own shape, `safe` so small that no shape cuts into it, and what stands on the ground alone.
 */
export function readMark(source: string) {
  const parts = form.exec(source)
  if (!parts)
    throw new Error(
      'client/public/mark.svg must be <svg … viewBox="0 0 32 32">, then as its ground <rect width="32" height="32" rx="…" fill="…"/>, then the drawing on it.',
    )
  const [, start, rounded, drawing, end] = parts as unknown as [
    string,
    string,
    string,
    string,
    string,
  ]
  const ground = rounded.replace(/ rx="[\d.]+"/, '')
  const smaller = `<g transform="translate(16 16) scale(.8) translate(-16 -16.5)">${drawing}</g>`
  return {
    square: start + ground + drawing + end,
    safe: start + ground + smaller + end,
    drawing: start + drawing + end,
  }
}
