import type * as Prom from 'prom-client'
import { promptly } from '../platform/time.ts'

type Ask<Answer> = () => Promise<Answer>
type Waiting = { count: number; oldestSeconds: number }

/** Where the numbers come from that are read when somebody asks for the metrics. */
export type Sources = {
  build: { version: string; schema: string }
  isUsable: () => boolean
  isReady: () => boolean
  pools: Record<string, { totalCount: number; idleCount: number; waitingCount: number }>
  live: { countStreams: () => number; isListening: () => boolean } | undefined
  countJobs: Ask<(Waiting & { task: string; state: string })[]>
  countOutbox: Ask<Waiting>
  countEvents: Ask<Waiting & { failed: number }>
}

type Where = { prom: typeof Prom; registry: Prom.Registry }
type Value = [value: number, labels?: Record<string, string>]

/** Adds what is read at each scrape. What the store does not answer within a second is left out, or NaN. */
export function addGauges({ prom, registry }: Where, sources: Sources) {
  function gauge(
    name: string,
    help: string,
    read: () => Value[] | Promise<Value[]>,
    labelNames: string[] = [],
  ) {
    const made = new prom.Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const values = await read()
        made.reset()
        for (const [value, labels = {}] of values) made.set(labels, value)
      },
    })
  }
  const { build, pools, live } = sources
  const [jobs, outbox, events] = [
    shared(sources.countJobs),
    shared(sources.countOutbox),
    shared(sources.countEvents),
  ]

  gauge(
    'app_build_info',
    'Always 1. What runs: the version, the newest migration that it knows, and Node.',
    () => [[1, { ...build, node: process.versions.node }]],
    ['version', 'schema', 'node'],
  )
  gauge('app_ready', '1 if /readyz answers 200.', () => [[Number(sources.isReady())]])
  gauge('app_database_usable', '1 if the database answers and can be written to.', () => [
    [Number(sources.isUsable())],
  ])
  gauge(
    'app_database_connections',
    'Connections to the database by pool and state: active or idle.',
    () =>
      Object.entries(pools).flatMap(([pool, { totalCount, idleCount }]): Value[] => [
        [totalCount - idleCount, { pool, state: 'active' }],
        [idleCount, { pool, state: 'idle' }],
      ]),
    ['pool', 'state'],
  )
  gauge(
    'app_database_waiting',
    'What waits for a connection to the database, by pool.',
    () => Object.entries(pools).map(([pool, { waitingCount }]) => [waitingCount, { pool }]),
    ['pool'],
  )
  if (live) {
    gauge('app_live_streams', 'Open live streams.', () => [[live.countStreams()]])
    gauge('app_live_listening', '1 if the server hears the changes of the database.', () => [
      [Number(live.isListening())],
    ])
  }
  gauge(
    'app_jobs',
    'Jobs by task and state: waiting, running, retrying (failed, and will be tried again) or failed (for good). The same on all servers. At most 100000 are counted.',
    async () => (await jobs())?.map(({ count, task, state }) => [count, { task, state }]) ?? [],
    ['task', 'state'],
  )
  gauge(
    'app_jobs_oldest_seconds',
    'Age of the oldest job: waiting since it was due, running since it was taken, retrying and failed since it was added.',
    async () =>
      (await jobs())?.map(({ oldestSeconds, task, state }) => [oldestSeconds, { task, state }]) ??
      [],
    ['task', 'state'],
  )
  gauge(
    'app_outbox_entries',
    'Notices of changes that wait for the relay, at most 10000.',
    async () => valueOf((await outbox())?.count),
  )
  gauge(
    'app_outbox_oldest_seconds',
    'For how long scrapes of this server have seen the oldest of these notices.',
    async () => valueOf((await outbox())?.oldestSeconds),
  )
  gauge(
    'app_inbox_waiting',
    "The payment provider's events that are not processed yet.",
    async () => valueOf((await events())?.count),
  )
  gauge(
    'app_inbox_oldest_seconds',
    'Age of the oldest event that is not processed yet; 0 if there is none.',
    async () => valueOf((await events())?.oldestSeconds),
  )
  gauge(
    'app_inbox_failed',
    "The payment provider's events whose work has failed, and has not succeeded since; NaN while the store does not answer.",
    async () => valueOf((await events())?.failed),
  )
}

/** A gauge without labels can't be left out, and compares with nothing if it is NaN. */
function valueOf(value = NaN): Value[] {
  return [[value]]
}

/** Gauges that are read at the same time share one question. */
function shared<Answer>(ask: Ask<Answer>) {
  let asked: Promise<Answer | undefined> | undefined
  return () =>
    (asked ??= promptly<Answer | undefined>(ask(), undefined).finally(() => (asked = undefined)))
}
