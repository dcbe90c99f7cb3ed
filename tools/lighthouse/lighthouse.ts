import { paths, projectPath } from '../../contract/paths.ts'
import { chromium } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findBrowser } from '../find-browser.ts'
import { aFreePort } from '../free-port.ts'
import { ann, openScene } from '../scene/scene.ts'
import { password } from '../../operate/seed/people.ts'
import { measure, type Report } from './measure.ts'

const [only] = process.argv.slice(2)
/** The scores that every screen must reach, of 100, and the speed of the pages for visitors. */
const wanted = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 }
const reports = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'lighthouse')
mkdirSync(reports, { recursive: true })
const ofFront = { ...wanted, performance: 98 }
const runs = Number(process.env['RUNS'] ?? 3)

const scene = await openScene()
const port = await aFreePort()
const { executablePath, args, env } = await findBrowser()
// Lighthouse opens its tabs in the browser's first context, so the user signs in there.
const visitor = await chromium.launchPersistentContext('', {
  executablePath,
  args: [...args, `--remote-debugging-port=${port}`],
  env,
})
const front = { welcome: `/en${paths.welcome}`, pricing: `/en${paths.pricing}` }
const screens = {
  ...front,
  'sign in': paths.signIn,
  dashboard: paths.dashboard,
  project: projectPath('subscription', scene.busy),
  users: projectPath('users', scene.busy),
  billing: projectPath('billing', scene.busy),
}

let failed = false
console.log(
  `${'median of '.concat(String(runs)).padEnd(12)}${Object.keys(wanted).join('  ')}    FCP    LCP    TBT     CLS`,
)
for (const [name, path] of Object.entries(screens)) {
  if (only && only !== name) continue
  if (name !== 'sign in' && !(name in front)) await signIn()
  const report = await measure(scene.url + path, { port, runs })
  writeFileSync(join(reports, `${name}.html`), report.html)
  console.log(lineOf(name, report))
  for (const { title, category } of report.findings)
    console.log(`            ${category}: ${title}`)
  const least = name in front ? ofFront : wanted
  const isLow = Object.entries(least).some(([category, score]) => report.scores[category]! < score)
  failed ||= isLow || report.metrics.cls > 0
}
console.log(`Reports: ${relative('.', reports)}`)
await visitor.close()
await scene.stop()
process.exit(failed ? 1 : 0)

async function signIn() {
  await visitor.request.post(`${scene.url}/api/signIn`, {
    data: { data: { email: ann, password } },
  })
}

function lineOf(name: string, { scores, metrics }: Report) {
  const columns = Object.keys(wanted).map((category) =>
    String(scores[category]).padStart(category.length),
  )
  const { fcp, lcp, tbt, cls } = metrics
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
  return `${name.padEnd(12)}${columns.join('  ')}  ${seconds(fcp)}  ${seconds(lcp)}  ${String(Math.round(tbt)).padStart(4)} ms  ${cls.toFixed(3)}`
}
