import { join } from 'node:path'
import { installApart } from '../scripts/install-apart.mjs'

const version = '0.4.3'
const regions = ['sc', 'tc', 'jp', 'kr']
const weights = ['400Regular', '500Medium', '600SemiBold', '700Bold']

/** Chinese, Japanese and Korean fonts, because pictures must be the same on every machine. */
export function installFonts() {
  const packages = Object.fromEntries(
    regions.map((region) => [`@expo-google-fonts/noto-sans-${region}`, version]),
  )
  const modules = installApart('noto-sans', { packages, size: '280 MB' })
  return Object.keys(packages).flatMap((name) =>
    weights.map((weight) => join(modules, name, weight)),
  )
}
