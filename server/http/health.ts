import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import type { Metrics } from '../platform/metrics.ts'

export function healthRoutes(isReady: () => Promise<boolean>) {
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) =>
      (await isReady()) ? c.json({ status: 'ready' }) : c.json({ status: 'not ready' }, 503),
    )
}

export function metricsRoutes(metrics: Metrics, token: string) {
  return new Hono().get('/', bearerAuth({ token }), async (c) =>
    c.text(await metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4' }),
  )
}
