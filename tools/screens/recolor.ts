import { toLight } from './colors.ts'

type Shade = [lightness: number, chroma: number]

/**
 * The brand's shades in the light and the dark theme, with chroma as a part of the brand's own. The
 * lightness of the first ones is at most that of the brand, or a bit less.
 */
const shades: Record<string, Shade[]> = {
  accent: [
    [1, 1],
    [0.76, 1],
  ],
  'accent-hover': [
    [0.95, 0.95],
    [0.81, 0.95],
  ],
  'on-accent': [
    [0.99, 0.05],
    [0.2, 0.29],
  ],
  'accent-soft': [
    [0.95, 0.24],
    [0.3, 0.43],
  ],
  'accent-ink': [
    [0.42, 0.9],
    [0.83, 0.86],
  ],
  ring: [
    [0.6, 1.14],
    [0.75, 1.05],
  ],
  tile: [[0.34, 0.48]],
  'tile-deep': [[0.24, 0.29]],
  'on-tile': [[0.97, 0.1]],
}

/** The contrast to white. The theme's near-whites need some more than the 4.5 of WCAG. */
const readable = 4.75

/** A theme.css in the colors of a brand, whose own is `hex`, or darker if white text needs that. */
export function recolor(css: string, hex: string) {
  const { lightness, chroma, hue } = toOklch(hex)
  const own = darkened(lightness, chroma, hue)
  const most: Record<string, number> = {
    accent: own,
    'accent-hover': Math.max(0, own - 0.05),
    'accent-ink': Math.max(0, own - 0.05),
  }
  const text = Object.entries(shades).reduce((text, [name, values]) => {
    const colors = values.map(([usual, part], theme) => {
      const light = theme === 0 ? Math.min(usual, most[name] ?? 1) : usual
      return inGamut(light, chroma * part, hue)
    })
    const value = colors.length > 1 ? `light-dark(${colors.join(', ')})` : colors[0]!
    return text.replace(new RegExp(`--color-${name}: .*;`), `--color-${name}: ${value};`)
  }, css)
  return { css: text, isDarker: own < lightness }
}

/** The lightness at which white text on the color can be read. */
function darkened(lightness: number, chroma: number, hue: number) {
  let own = lightness
  while (contrast(own, chroma, hue) < readable) own -= 0.005
  return own
}

/** The contrast to white as WCAG defines it. */
function contrast(lightness: number, chroma: number, hue: number) {
  const [red, green, blue] = toLight(lightness, shown(lightness, chroma, hue), hue)
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

function inGamut(lightness: number, chroma: number, hue: number) {
  const numbers = [lightness, shown(lightness, chroma, hue)].map((number) => +number.toFixed(4))
  return `oklch(${numbers.join(' ')} ${+hue.toFixed(2)})`
}

/** The chroma, or as much of it as screens can show. */
function shown(lightness: number, chroma: number, hue: number) {
  let most = chroma
  while (most > 0 && toLight(lightness, most, hue).some((part) => part < -0.001 || part > 1.001))
    most = Math.max(0, most - 0.001)
  return most
}

function toOklch(hex: string) {
  const digits = hex.length === 4 ? hex.replaceAll(/[^#]/g, '$&$&') : hex
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  }
}
