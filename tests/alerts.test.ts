import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withMetrics } from './metrics.ts'
import { aWorld } from './world.ts'

const read = (file: string) => readFile(join(import.meta.dirname, '..', file), 'utf8')

test('each metric that the alert rules, the dashboard or the operations page names is served, and each served one of ours is explained', async () => {
  const served = await servedNames()
  const [explained] = /^## Metrics\n[^]*?^## /m.exec(await read('docs/operations.md'))!
  const rules = await read('operate/deploy/prometheus-rules.yml')
  for (const text of [rules, await read('operate/deploy/grafana-dashboard.json'), explained]) {
    const named = text.match(/\b(app|nodejs|process)_[a-z\d_]*[a-z\d]\b/g)!
    expect(named.filter((name) => !served.has(name))).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  }
  const own = [...served].filter((name) => /^app_.*(?<!_bucket|_sum|_count)$/.test(name))
  expect(own.filter((name) => !explained.includes(`\`${name}\``))).toEqual([])
})

test('each alert has its section in docs/alerts.md, which its rule links to, and each section its alert', async () => {
  const rules = await read('operate/deploy/prometheus-rules.yml')
  const alerts = Array.from(rules.matchAll(/- alert: (\w+)/g), ([, name]) => name!)
  const links = Array.from(rules.matchAll(/runbook_url: docs\/alerts\.md#(\w+)/g), ([, to]) => to!)
  const sections = (await read('docs/alerts.md')).matchAll(/^## (App\w+)$/gm)
  expect(alerts.length).toBeGreaterThan(10)
  expect(links).toEqual(alerts.map((name) => name.toLowerCase()))
  expect(Array.from(sections, ([, name]) => name!).toSorted()).toEqual(alerts.toSorted())
})

/** The names of all samples that a server may serve. */
async function servedNames() {
  const world = await aWorld(withMetrics)
  const headers = { authorization: `Bearer ${withMetrics.METRICS_TOKEN}` }
  const text = await (await world.request('/metrics', { headers })).text()
  const types = text.matchAll(/^# TYPE (\w+) (\w+)$/gm)
  return new Set(
    Array.from(types).flatMap(([, name, type]) =>
      type === 'histogram' ? [name!, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
    ),
  )
}
