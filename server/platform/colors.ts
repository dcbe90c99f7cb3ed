// Written by npm run icons from client/theme.css, for what can't read it: mails, the browser's own
// surfaces, /dev and the sandbox.

/** The colors of the light and of the dark theme. */
export const colors = {
  page: ['#f8fafc', '#0d1216'],
  surface: ['#ffffff', '#141a1f'],
  raised: ['#ffffff', '#1d252b'],
  sunken: ['#eff3f6', '#080d10'],
  line: ['#dee4e7', '#272f35'],
  'line-strong': ['#c3ccd1', '#3e4952'],
  control: ['#88959b', '#67737c'],
  ink: ['#141e25', '#ebeff2'],
  soft: ['#515d65', '#a5b0b5'],
  faint: ['#626e76', '#929da3'],
  accent: ['#006c8b', '#54c2db'],
  'accent-hover': ['#005d7a', '#6cd2e9'],
  'on-accent': ['#f8fdfe', '#061821'],
  'accent-soft': ['#ddf3fb', '#10323f'],
  'accent-ink': ['#005772', '#7ed7ec'],
  good: ['#036035', '#80dba2'],
  'good-soft': ['#dcf9e5', '#173523'],
  warn: ['#7d4a07', '#efc876'],
  'warn-soft': ['#fff2d2', '#3e2d10'],
  bad: ['#b32228', '#fb9890'],
  'bad-soft': ['#ffece9', '#4b1d1b'],
  ring: ['#008fb3', '#49bfd9'],
} satisfies Record<string, [light: string, dark: string]>

/** The fonts of the app as CSS lists them, and the file of the first one. */
export const font = {
  family: `'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif`,
  file: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
}
