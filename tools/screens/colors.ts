/** A color in the light and in the dark theme, as #rrggbb. */
export type Shades = [light: string, dark: string]

const color = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`
const both = new RegExp(String.raw`--color-([\w-]+): light-dark\(${color}, ${color}\);`, 'g')

/** The opaque colors of a theme.css that differ between the themes, by name. */
export function readColors(css: string): Record<string, Shades> {
  return Object.fromEntries(
    [...css.matchAll(both)].map(([, name, ...numbers]) => {
      const [l1, c1, h1, l2, c2, h2] = numbers.map(Number) as Six
      return [name!, [toHex(l1, c1, h1), toHex(l2, c2, h2)]]
    }),
  )
}

/** The families of the app's text as CSS lists them, and the file of the first one. */
export function readFont(css: string) {
  const [, families] = /--font-sans:([^;]+);/.exec(css)!
  const [, file] = /src: url\('([^']+)'\)/.exec(css)!
  return { family: families!.replaceAll(/\s+/g, ' ').trim(), file: file! }
}

type Six = [number, number, number, number, number, number]

/** The file server/platform/colors.ts. */
export function asModule(css: string) {
  const rows = Object.entries(readColors(css)).map(
    ([name, shades]) => `  ${/-/.test(name) ? `'${name}'` : name}: ['${shades.join("', '")}'],`,
  )
  const { family, file } = readFont(css)
  return `// Written by npm run icons from client/theme.css, for what can't read it: mails, the browser's own
// surfaces, /dev and the sandbox.

/** The colors of the light and of the dark theme. */
export const colors = {
${rows.join('\n')}
} satisfies Record<string, [light: string, dark: string]>

/** The fonts of the app as CSS lists them, and the file of the first one. */
export const font = {
  family: \`${family}\`,
  file: '${file}',
}
`
}

/** The file colors.css of the sandbox. */
export function asStyles(css: string) {
  const rows = Object.entries(readColors(css)).map(
    ([name, shades]) => `  --${name}: light-dark(${shades.join(', ')});`,
  )
  return `/* Written by npm run icons from client/theme.css. */
:root {
  color-scheme: light dark;
${rows.join('\n')}
  --font-sans:
    ${readFont(css).family};
}
`
}

/** From OKLCH to sRGB, as CSS Color 4 says; what no screen shows is cut off. */
function toHex(lightness: number, chroma: number, hue: number) {
  const bytes = toLight(lightness, chroma, hue).map((part) => {
    const value = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, value)) * 255)
  })
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** How much red, green and blue light a color is, 0 to 1 if screens can show it. */
export function toLight(lightness: number, chroma: number, hue: number) {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ] as const
}
