import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Audit = {
  id: string
  title: string
  score: number | null
  numericValue?: number
  displayValue?: string
}
type Category = { score: number; auditRefs: { id: string; weight: number }[] }
type Result = { categories: Record<string, Category>; audits: Record<string, Audit> }
type Run = { lhr: Result; report: string }
type Lighthouse = (
  url: string,
  flags: { port: number; logLevel: 'error'; output: 'html' },
) => Promise<Run>

export type Report = {
  /** Scores by category, of 100. */
  scores: Record<string, number>
  /** In milliseconds, except for `cls`, which has no unit. */
  metrics: { fcp: number; lcp: number; tbt: number; cls: number }
  findings: { category: string; title: string }[]
  html: string
}

// tools/lighthouse.mjs installs Lighthouse apart from the product, when it first runs.
const installed = join(process.env['LIGHTHOUSE']!, 'lighthouse', 'core')
const { default: lighthouse } = await load<{ default: Lighthouse }>('index.js')
const { computeMedianRun } = await load<{ computeMedianRun: (results: Result[]) => Result }>(
  'lib/median-run.js',
)

/** Takes the median of several runs, as Lighthouse advises, because single runs vary. */
export async function measure(
  url: string,
  { port, runs }: { port: number; runs: number },
): Promise<Report> {
  const results: Run[] = []
  for (let run = 0; run < runs; run++)
    results.push(await lighthouse(url, { port, logLevel: 'error', output: 'html' }))
  const median = computeMedianRun(results.map(({ lhr }) => lhr))
  const { categories, audits } = median
  const value = (id: string) => audits[id]!.numericValue!
  return {
    scores: Object.fromEntries(
      Object.entries(categories).map(([name, { score }]) => [name, Math.round(score * 100)]),
    ),
    metrics: {
      fcp: value('first-contentful-paint'),
      lcp: value('largest-contentful-paint'),
      tbt: value('total-blocking-time'),
      cls: value('cumulative-layout-shift'),
    },
    findings: Object.entries(categories).flatMap(([category, { auditRefs }]) =>
      auditRefs
        .map(({ id }) => audits[id]!)
        .filter(({ score }) => score !== null && score < 0.9)
        .map(({ title, displayValue }) => ({
          category,
          title: displayValue ? `${title} (${displayValue})` : title,
        })),
    ),
    html: results.find(({ lhr }) => lhr === median)!.report,
  }
}

async function load<Module>(file: string): Promise<Module> {
  return import(pathToFileURL(join(installed, file)).href)
}
