import { join } from 'node:path'
import { installApart } from '../scripts/install-apart.mjs'

const regions = ['sc', 'tc', 'jp', 'kr']
const weights = ['400Regular', '500Medium', '600SemiBold', '700Bold']

/**
 * Chinese, Japanese and Korean fonts and the one of ids, because pictures must be the same on every
 * machine.
 */
export function installFonts() {
  return [
    ...installed(
      'noto-sans',
      regions.map((region) => `noto-sans-${region}`),
      { version: '0.4.3', size: '280 MB', weights },
    ),
    ...installed('jetbrains-mono', ['jetbrains-mono'], {
      version: '0.4.1',
      size: '3 MB',
      weights: ['400Regular'],
    }),
  ]
}

function installed(name, fonts, { version, size, weights }) {
  const names = fonts.map((font) => `@expo-google-fonts/${font}`)
  const packages = Object.fromEntries(names.map((font) => [font, version]))
  const modules = installApart(name, { packages, size })
  return names.flatMap((font) => weights.map((weight) => join(modules, font, weight)))
}
